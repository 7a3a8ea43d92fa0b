// Who is signed in, as every component may ask.
// Who saves something.
import type { User } from '@supabase/supabase-js';
import { createContext, use } from 'react';
import type { Role } from '#shared/permissions.ts';
import { whenReady } from '../supabase/client.ts';

export type Auth = {
  /** Nobody, while `loading` and when no one is signed in. */
  user: User | null;
  /** True until the first look-up of the session has finished. */
  loading: boolean;
  /** Signed in by password or link only, though the account has a second step. */
  lacksSecondStep: boolean;
  /** Empty until they are `ready`. */
  roles: readonly Role[];
  rolesState: 'loading' | 'ready' | 'failed';
  reloadRoles: () => void;
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
 * @param missing what is said when nobody is signed in (specification, section 8)
 * @returns id of the signed-in user @throws when nobody is signed in
 */
export async function requireUserId(missing = 'You must be logged in'): Promise<string> {
  const { data, error } = await (await whenReady()).auth.getSession();
  if (error) throw error;
  if (!data.session) throw new Error(missing);
  return data.session.user.id;
}
