// The roles of a person, as the database tells them to that person.
import { queryOptions } from '@tanstack/react-query';
import type { Role } from '#shared/permissions.ts';
import { KEPT } from '../cache/query-client.ts';
import { supabase } from '../supabase/client.ts';

/** Of the roles of anybody, so that a change of the table makes them load again. */
export const rolesKey = ['user_roles'] as const;

async function readRoles(userId: string): Promise<Role[]> {
  const { data } = await supabase()
    .from('user_roles')
    .select('role')
    .eq('user_id', userId)
    .throwOnError();
  // A supervisor of two sites has two rows.
  return [...new Set(data.map((row) => row.role))];
}

export function rolesQuery(userId: string | undefined) {
  return queryOptions({
    queryKey: [...rolesKey, userId],
    queryFn: () => (userId ? readRoles(userId) : []),
    enabled: userId !== undefined,
    meta: KEPT,
  });
}
