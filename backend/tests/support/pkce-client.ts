// A PKCE client whose code verifier tests can read.
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import ws from 'ws';
import type { TestServer } from './server.ts';

export interface PkceClient {
  client: SupabaseClient;
  /** The code verifier of the client's latest flow. */
  verifier(): string;
}

export function pkceClient(server: TestServer): PkceClient {
  const kept = new Map<string, string>();
  const client = createClient(server.url, server.context.keys.anonKey, {
    auth: {
      flowType: 'pkce',
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
        removeItem: (key) => void kept.delete(key),
      },
    },
    // Node 20 has no built-in WebSocket.
    realtime: { transport: ws as never },
  });
  const verifier = (): string => {
    const [, value = '""'] = [...kept].find(([key]) => key.endsWith('-code-verifier')) ?? [];
    return String(JSON.parse(value)).split('/')[0] ?? '';
  };
  return { client, verifier };
}
