// A client with the service key of the server under test.
import path from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';
import { openKeys } from '#backend/keys/keys.ts';
import { readConfig } from '#server/config.ts';
import type { Database } from '#shared/database.types.ts';

export const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');

export async function service(baseURL: string, dataDir: string) {
  const { serviceKey } = await openKeys(readConfig({ DATA_DIR: dataDir }, ROOT));
  return createClient<Database>(baseURL, serviceKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    // As in people.ts.
    realtime: { transport: WebSocket as never },
  });
}
