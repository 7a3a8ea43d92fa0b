// A demo account over HTTP, and the time of its calls.
import { createClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';

/** @returns a client of the server's company, signed in */
export async function signedIn(url, account) {
  const { supabaseUrl, supabaseAnonKey } = await (await fetch(`${url}/app-config.json`)).json();
  const client = createClient(supabaseUrl, supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket },
  });
  const { error } = await client.auth.signInWithPassword(account);
  if (error) throw error;
  return client;
}

/** @returns what the call answers, and its milliseconds */
export async function timed(work) {
  const started = performance.now();
  const { error, ...rest } = await work();
  if (error) throw error;
  return { ms: performance.now() - started, ...rest };
}
