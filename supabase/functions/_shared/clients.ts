import { createClient, type SupabaseClient } from '@supabase/supabase-js';

const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };

function variable(name: string): string {
  const value = Deno.env.get(name);
  if (value === undefined) throw new Error(`${name} is not set.`);
  return value;
}

/** A client with the caller's rights. */
export function callersClient(token: string): SupabaseClient {
  return createClient(variable('SUPABASE_URL'), variable('SUPABASE_ANON_KEY'), {
    auth,
    global: { headers: { Authorization: `Bearer ${token}` } },
  });
}

/** A client of a visitor. */
export function anonymousClient(headers: Record<string, string>): SupabaseClient {
  return createClient(variable('SUPABASE_URL'), variable('SUPABASE_ANON_KEY'), {
    auth,
    global: { headers },
  });
}

/** A client that bypasses row-level security. */
export function serviceClient(): SupabaseClient {
  return createClient(variable('SUPABASE_URL'), variable('SUPABASE_SERVICE_ROLE_KEY'), { auth });
}
