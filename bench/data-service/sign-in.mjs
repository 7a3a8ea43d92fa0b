// Signs in to the measured server and builds its data service URLs.
import { createClient } from '@supabase/supabase-js';
import ws from 'ws';

/** @returns {Promise<{ token: string, user: string }>} for the demo administrator */
export async function signIn({ url, anonKey, password }) {
  const client = createClient(url, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: ws },
  });
  const email = 'admin@statesman.example';
  const { data, error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return { token: data.session.access_token, user: data.user.id };
}

export const onService = (requests) =>
  requests.map((request) => ({ ...request, path: `/rest/v1${request.path}` }));
