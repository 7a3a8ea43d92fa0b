import type { User } from '@supabase/supabase-js';
import { createContext, use } from 'react';
import type { Role } from '#shared/grants.ts';
import { backend } from '../supabase/client.ts';

export type Auth = {
  /** Null while `loading`, and when no user is signed in. */
  user: User | null;
  /** True until the session has been read for the first time. */
  loading: boolean;
  /** Signed in by password or link only, although the account has a second factor. */
  lacksSecondStep: boolean;
  /** Empty until they are `ready`. */
  roles: readonly Role[];
  rolesState: 'loading' | 'ready' | 'failed';
  /** Why they `failed`. */
  rolesError: Error | null;
  reloadRoles: () => Promise<unknown>;
  isAdmin: boolean;
  isOpsManager: boolean;
  isSupervisor: boolean;
  isHr: boolean;
};

export const AuthContext = createContext<Auth | null>(null);

/** @throws outside an AuthProvider */
export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (!auth) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}

/**
 * @param missing message of the error when no user is signed in
 * @returns id of the signed-in user @throws when no user is signed in
 */
export async function requireUserId(missing = 'You must be logged in'): Promise<string> {
  const { data, error } = await (await backend.open()).auth.getSession();
  if (error) throw error;
  if (!data.session) throw new Error(missing);
  return data.session.user.id;
}
