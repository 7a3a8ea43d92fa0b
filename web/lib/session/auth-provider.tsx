// Follows the session through every auth event of every tab, and refetches the roles at each.

import type { AuthChangeEvent } from '@supabase/supabase-js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Role } from '#shared/permissions.ts';
import { useKept } from '../cache/use-stored-queries.ts';
import { keepNoTables } from '../realtime/live-tables.ts';
import { firstPictureStands } from '../render/first-paint.ts';
import {
  heldSession,
  isArrival,
  onReady,
  revokeEndedSessions,
  sessionOnDevice,
  whenReady,
} from '../supabase/client.ts';
import { lacksSecondStep } from './assurance.ts';
import { type Auth, AuthContext } from './auth.ts';
import { tell } from './notice.ts';
import { profileQuery, rolesQuery } from './session-queries.ts';
import { isDeliberateSignOut, onSignOut } from './sign-out.ts';
import type { KnownSession } from './stored-session.ts';
import { useSessionCheck } from './use-session-check.ts';

const NO_ROLES: readonly Role[] = [];

/** The session: undefined until the first look-up has finished, null without one. */
function useSession(): KnownSession | null | undefined {
  const queryClient = useQueryClient();
  // What the device holds counts at once: on a bad line it takes long to refresh, and then nobody waits for a screen.
  const [session, setSession] = useState<KnownSession | null | undefined>(() =>
    isArrival() ? undefined : (sessionOnDevice() ?? null),
  );

  useEffect(() => {
    // Shown before the first look-up has finished, perhaps.
    let previous = sessionOnDevice()?.user.id;
    let unsubscribe = () => {};
    function follow(event: AuthChangeEvent, refreshed: KnownSession | null) {
      // Without a network a session that has run out can't be refreshed; it stays stored, and the person signed in.
      const next = refreshed ?? (event === 'INITIAL_SESSION' ? sessionOnDevice() : null) ?? null;
      const id = next?.user.id;
      const hadOne = previous !== undefined || (event === 'INITIAL_SESSION' && heldSession());
      if (!id && hadOne && !isDeliberateSignOut()) {
        tell({ tone: 'info', title: 'Your session has ended', text: 'Please sign in again.' });
      }
      // What one person loaded is not for the next one at the same screen.
      if (previous !== undefined && previous !== id) {
        queryClient.clear();
        keepNoTables();
      }
      const isKnown = event === 'INITIAL_SESSION' && id === previous;
      previous = id;
      setSession(next);
      if (event === 'TOKEN_REFRESHED') {
        const isFailed = ({ state }: { state: { status: string } }) => state.status === 'error';
        void queryClient.refetchQueries({ predicate: isFailed });
      }
      // Whom the device names is asked about from the first picture on.
      if (id && !isKnown) {
        void queryClient.invalidateQueries({ queryKey: rolesQuery(id).queryKey });
        void queryClient.invalidateQueries({ queryKey: profileQuery(id).queryKey });
      }
      void revokeEndedSessions();
    }
    const forget = onReady((client) => {
      // No backend call may be awaited in this callback: auth-js holds its lock while it runs.
      const { data } = client.auth.onAuthStateChange(follow);
      unsubscribe = () => data.subscription.unsubscribe();
    });
    firstPictureStands();
    // The client takes its time without a network; the person has left at once.
    const stopLeaving = onSignOut(() => follow('SIGNED_OUT', null));
    const revoke = () => void revokeEndedSessions();
    addEventListener('online', revoke);
    // The client comes behind the picture; what needs it asks for it again should that fail.
    whenReady().catch(() => undefined);
    return () => {
      forget();
      unsubscribe();
      stopLeaving();
      removeEventListener('online', revoke);
    };
  }, [queryClient]);

  useSessionCheck(session?.user.id, (user) => setSession((now) => now && { ...now, user }));
  return session;
}

export function AuthProvider({ children }: { children: ReactNode }) {
  const session = useSession();
  const isRestored = useKept(session === null ? null : session?.user.id);
  const isHalf = session ? lacksSecondStep(session) : false;
  // Without its second step a session reads no roles: "none" would be taken for the answer.
  const { data, status, refetch } = useQuery(rolesQuery(isHalf ? undefined : session?.user.id));

  const auth = useMemo<Auth>(() => {
    const roles = (session && data) || NO_ROLES;
    // A failed refresh of roles that were read before is no reason to throw the person out.
    const rolesState = data ? 'ready' : status === 'error' ? 'failed' : 'loading';
    return {
      user: session?.user ?? null,
      loading: session === undefined || !isRestored,
      lacksSecondStep: isHalf,
      roles,
      rolesState,
      reloadRoles: () => void refetch(),
      isAdmin: roles.includes('admin'),
      isOpsManager: roles.includes('ops_manager'),
      isSupervisor: roles.includes('supervisor'),
      isHr: roles.includes('hr'),
    };
  }, [session, isRestored, isHalf, data, status, refetch]);

  return <AuthContext value={auth}>{children}</AuthContext>;
}
