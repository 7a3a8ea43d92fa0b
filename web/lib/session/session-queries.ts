// The profile of the person who is signed in.
// The roles of a person, as the database tells them to that person.
// Which ways of signing in the server offers beside e-mail and password.
import { queryOptions } from '@tanstack/react-query';
import type { Role } from '#shared/permissions.ts';
import { KEPT } from '../cache/query-client.ts';
import { authSettings, supabase } from '../supabase/client.ts';

async function readProfile(userId: string) {
  const { data } = await supabase()
    .from('profiles')
    .select('full_name, must_change_password')
    .eq('id', userId)
    .maybeSingle()
    .throwOnError();
  return data ?? { full_name: null, must_change_password: false };
}

export function profileQuery(userId: string | undefined) {
  return queryOptions({
    queryKey: ['profile', userId],
    queryFn: () => (userId ? readProfile(userId) : null),
    enabled: userId !== undefined,
    meta: KEPT,
  });
}

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

/** In `external` too, but no providers to go to. */
const NO_PROVIDERS = ['anonymous_users', 'email', 'phone'];

async function readOffers() {
  const { external, ...rest } = await authSettings();
  const providers = Object.keys(external).filter(
    (name) => external[name] && !NO_PROVIDERS.includes(name),
  );
  return {
    providers,
    hasCompanySignIn: rest.saml_enabled,
    hasPasskeySignIn: rest.passkeys_enabled,
  };
}

export function offersQuery() {
  return queryOptions({
    queryKey: ['auth-settings'],
    queryFn: readOffers,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
