// Follows the session through every auth event, and reads the roles anew at each.
import type { User } from '@supabase/supabase-js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Role } from '#shared/permissions.ts';
import { supabase } from '../supabase.ts';
import { type Auth, AuthContext } from './auth-context.ts';
import { rolesQuery } from './roles-query.ts';

const NO_ROLES: readonly Role[] = [];

/** The user of the session: undefined until the first look-up has finished, null without a session. */
function useSessionUser(): User | null | undefined {
  const queryClient = useQueryClient();
  const [user, setUser] = useState<User | null>();

  useEffect(() => {
    let previous: string | undefined;
    // No backend call may be awaited in this callback: auth-js holds its lock while it runs.
    const { data } = supabase().auth.onAuthStateChange((_event, session) => {
      const id = session?.user.id;
      // What one person loaded is not for the next one at the same screen.
      if (previous !== undefined && previous !== id) queryClient.clear();
      previous = id;
      setUser(session?.user ?? null);
      if (id) void queryClient.invalidateQueries({ queryKey: rolesQuery(id).queryKey });
    });
    return () => data.subscription.unsubscribe();
  }, [queryClient]);

  return user;
}

export function AuthProvider({ children }: { children: ReactNode }) {
  const user = useSessionUser();
  const { data, status, refetch } = useQuery(rolesQuery(user?.id));

  const auth = useMemo<Auth>(() => {
    const roles = (user && data) || NO_ROLES;
    // A failed refresh of roles that were read before is no reason to throw the person out.
    const rolesState = data ? 'ready' : status === 'error' ? 'failed' : 'loading';
    return {
      user: user ?? null,
      loading: user === undefined,
      roles,
      rolesState,
      reloadRoles: () => void refetch(),
      isAdmin: roles.includes('admin'),
      isOpsManager: roles.includes('ops_manager'),
      isSupervisor: roles.includes('supervisor'),
      isHr: roles.includes('hr'),
    };
  }, [user, data, status, refetch]);

  return <AuthContext value={auth}>{children}</AuthContext>;
}
