// Profile and roles of a user, as row-level security lets that user read them.
import { queryOptions } from '@tanstack/react-query';
import type { Role } from '#shared/permissions.ts';
import { PERSISTED } from '../cache/query-client.ts';
import { supabase } from '../supabase/client.ts';

async function fetchProfile(userId: string) {
  const { data } = await supabase()
    .from('profiles')
    .select('full_name, must_change_password, photo_path')
    .eq('id', userId)
    .maybeSingle()
    .throwOnError();
  return data ?? { full_name: null, must_change_password: false, photo_path: null };
}

export function profileQuery(userId: string | undefined) {
  return queryOptions({
    queryKey: ['profile', userId],
    queryFn: () => (userId ? fetchProfile(userId) : null),
    enabled: userId !== undefined,
    meta: PERSISTED,
  });
}

/** Roles of every user, for refetching when the table changes. */
export const rolesKey = ['user_roles'] as const;

async function fetchRoles(userId: string): Promise<Role[]> {
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
    queryFn: () => (userId ? fetchRoles(userId) : []),
    enabled: userId !== undefined,
    meta: PERSISTED,
  });
}
