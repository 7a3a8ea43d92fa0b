import { queryOptions } from '@tanstack/react-query';
import type { Role } from '#shared/grants.ts';
import { takeEarly } from '../cache/early-answers.ts';
import { PERSISTED } from '../cache/query-client.ts';
import { supabase } from '../supabase/client.ts';
import { PROFILE_COLUMNS, ROLE_COLUMNS } from './session-columns.ts';

type Profile = {
  full_name: string | null;
  must_change_password: boolean;
  photo_path: string | null;
};

const NO_PROFILE: Profile = { full_name: null, must_change_password: false, photo_path: null };

async function fetchProfile(userId: string): Promise<Profile> {
  const { data } = await supabase()
    .from('profiles')
    .select(PROFILE_COLUMNS)
    .eq('id', userId)
    .maybeSingle()
    .throwOnError();
  return data ?? NO_PROFILE;
}

async function earlyProfile(): Promise<Profile | undefined> {
  const answer = await takeEarly<Profile>('profile');
  return answer && (answer.data?.[0] ?? NO_PROFILE);
}

export function profileQuery(userId: string | undefined) {
  return queryOptions({
    queryKey: ['profile', userId],
    queryFn: () => (userId ? fetchProfile(userId) : null),
    enabled: userId !== undefined,
    meta: { ...PERSISTED, early: earlyProfile },
  });
}

/** Roles of every user, for refetching when the table changes. */
export const rolesKey = ['user_roles'] as const;

type RoleRow = { role: Role };

/** A supervisor of two sites has two rows. */
const rolesOf = (rows: RoleRow[]): Role[] => [...new Set(rows.map(({ role }) => role))];

async function fetchRoles(userId: string): Promise<Role[]> {
  const { data } = await supabase()
    .from('user_roles')
    .select(ROLE_COLUMNS)
    .eq('user_id', userId)
    .throwOnError();
  return rolesOf(data);
}

async function earlyRoles(): Promise<Role[] | undefined> {
  const answer = await takeEarly<RoleRow>('roles');
  return answer && rolesOf(answer.data ?? []);
}

export function rolesQuery(userId: string | undefined) {
  return queryOptions({
    queryKey: [...rolesKey, userId],
    queryFn: () => (userId ? fetchRoles(userId) : []),
    enabled: userId !== undefined,
    meta: { ...PERSISTED, early: earlyRoles },
  });
}
