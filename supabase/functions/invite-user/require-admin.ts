// Decides by the caller's own token: the auth service knows who it is, row-level security which roles are in force.
import type { SupabaseClient } from '@supabase/supabase-js';
import { Refusal } from '../_shared/answer.ts';

/**
 * @param client with the caller's rights
 * @throws Refusal 401 without a session, 403 for anyone who is no admin
 */
export async function requireAdmin(client: SupabaseClient, token: string): Promise<void> {
  const { data, error } = await client.auth.getUser(token);
  if (error !== null) {
    if ((error.status ?? 500) >= 500) throw error;
    throw new Refusal(401, 'no_session', 'Please sign in again.');
  }
  // A role of somebody whose account is not open (second factor, temporary password) is not visible even to them.
  const { data: roles, error: refused } = await client
    .from('user_roles')
    .select('id')
    .eq('user_id', data.user.id)
    .eq('role', 'admin');
  if (refused !== null) throw refused;
  if (roles.length === 0) throw new Refusal(403, 'not_admin', 'Only admins invite people.');
}
