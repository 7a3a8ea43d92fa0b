import { Refusal } from './answer.ts';
import { callersClient } from './clients.ts';

/**
 * Checks the caller's own token: the auth service identifies the user, row-level security returns their roles.
 * @param refusal what a user without these roles sees
 * @returns the token @throws Refusal 401 without a session, 403 if the user has none of the roles
 */
export async function requireRole(
  request: Request,
  roles: readonly string[],
  refusal: string,
): Promise<string> {
  const token = /^bearer\s+(.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
  const client = callersClient(token);
  const { data, error } = await client.auth.getUser(token);
  if (error !== null) {
    if ((error.status ?? 500) >= 500) throw error;
    throw new Refusal(401, 'no_session', 'Please sign in again.');
  }
  // Users can't read their roles until they have passed the second factor and replaced a temporary password.
  const { data: found, error: refused } = await client
    .from('user_roles')
    .select('id')
    .eq('user_id', data.user.id)
    .in('role', roles);
  if (refused !== null) throw refused;
  if (found.length === 0) throw new Refusal(403, 'not_admin', refusal);
  return token;
}

/** @throws Refusal 401 without a session, 403 if the user is not an admin */
export async function requireAdmin(request: Request): Promise<void> {
  await requireRole(request, ['admin'], 'Only admins invite people.');
}
