// Who is signed in, as every component may ask.
import type { User } from '@supabase/supabase-js';
import { createContext, use } from 'react';
import type { Role } from '#shared/permissions.ts';

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
