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

/** @returns the state of a browser in which the client's user is signed in */
export async function storageOf(client, url) {
  const { data } = await client.auth.getSession();
  const { hostname, origin } = new URL(url);
  const key = `sb-${hostname.split('.')[0]}-auth-token`;
  const localStorage = [{ name: key, value: JSON.stringify(data.session) }];
  return { cookies: [], origins: [{ origin, localStorage }] };
}

/** @returns what the call answers, and its milliseconds */
export async function timed(work) {
  const started = performance.now();
  const { error, ...rest } = await work();
  if (error) throw error;
  return { ms: performance.now() - started, ...rest };
}
