// Provides the session: follows the auth events of all tabs and refetches profile and roles when the user changes.

import type { AuthChangeEvent } from '@supabase/supabase-js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Role } from '#shared/grants.ts';
import { usePersistedQueries } from '../cache/persisted-queries.ts';
import { leaveUnusedTables } from '../realtime/live-tables.ts';
import { notifyFirstCommit } from '../render/first-paint.ts';
import { backend } from '../supabase/client.ts';
import { type Auth, AuthContext } from './auth.ts';
import { revokeEndedSessions, sessionOnDevice } from './device-session.ts';
import { forgetUse } from './finder-use.ts';
import { type Notice, showNotice, withdrawNotice } from './notice.ts';
import { profileQuery, rolesQuery } from './session-queries.ts';
import { isDeliberateSignOut, onSignOut } from './sign-out.ts';
import { type KnownSession, lacksSecondStep } from './stored-session.ts';
import { useSessionCheck } from './use-session-check.ts';

const ENDED: Notice = {
  tone: 'info',
  title: 'Your session has ended',
  text: 'Please sign in again.',
};

const NO_ROLES: readonly Role[] = [];

/** @returns undefined until the session has been read, null without one */
function useSession(): KnownSession | null | undefined {
  const queryClient = useQueryClient();
  // The stored session is used immediately, because refreshing it takes long on a slow connection.
  const [session, setSession] = useState<KnownSession | null | undefined>(() =>
    backend.isLinkArrival ? undefined : (sessionOnDevice() ?? null),
  );

  useEffect(() => {
    let previous = sessionOnDevice()?.user.id;
    let unsubscribe = () => {};
    function follow(event: AuthChangeEvent, refreshed: KnownSession | null) {
      // An expired session can't be refreshed offline. It stays stored, and the user stays signed in.
      const next = refreshed ?? (event === 'INITIAL_SESSION' ? sessionOnDevice() : null) ?? null;
      const id = next?.user.id;
      const hadOne = previous !== undefined || (event === 'INITIAL_SESSION' && backend.hadSession);
      if (!id && hadOne && !isDeliberateSignOut()) {
        showNotice(ENDED);
      }
      if (id) withdrawNotice(ENDED);
      // The next user of this browser must not see this user's data.
      if (previous !== undefined && previous !== id) {
        queryClient.clear();
        leaveUnusedTables();
        forgetUse();
      }
      const isKnown = event === 'INITIAL_SESSION' && id === previous;
      previous = id;
      setSession(next);
      if (event === 'TOKEN_REFRESHED') {
        const isFailed = ({ state }: { state: { status: string } }) => state.status === 'error';
        void queryClient.refetchQueries({ predicate: isFailed });
      }
      // For the stored session these queries have been running since first paint.
      if (id && !isKnown) {
        void queryClient.invalidateQueries({ queryKey: rolesQuery(id).queryKey });
        void queryClient.invalidateQueries({ queryKey: profileQuery(id).queryKey });
      }
      void revokeEndedSessions();
    }
    const cancelOpen = backend.onOpen((client) => {
      // Must not await a backend call: auth-js holds its lock during this callback.
      const { data } = client.auth.onAuthStateChange(follow);
      unsubscribe = () => data.subscription.unsubscribe();
    });
    notifyFirstCommit();
    // Offline, the client emits SIGNED_OUT late.
    const unsubscribeSignOut = onSignOut(() => follow('SIGNED_OUT', null));
    const revoke = () => void revokeEndedSessions();
    addEventListener('online', revoke);
    // The client opens after first paint. If it fails, the next caller of open() retries.
    backend.open().catch(() => undefined);
    return () => {
      cancelOpen();
      unsubscribe();
      unsubscribeSignOut();
      removeEventListener('online', revoke);
    };
  }, [queryClient]);

  useSessionCheck(session?.user.id, (user) => setSession((now) => now && { ...now, user }));
  return session;
}

export function AuthProvider({ children }: { children: ReactNode }) {
  const session = useSession();
  const isRestored = usePersistedQueries(session === null ? null : session?.user.id);
  const isHalf = session ? lacksSecondStep(session) : false;
  // Without its second step a session reads no rows, which would look like having no roles.
  const { data, status, error, refetch } = useQuery(
    rolesQuery(isHalf ? undefined : session?.user.id),
  );

  const auth = useMemo<Auth>(() => {
    const roles = (session && data) || NO_ROLES;
    // Roles that were read before stay valid when a refetch fails.
    const rolesState = data ? 'ready' : status === 'error' ? 'failed' : 'loading';
    return {
      user: session?.user ?? null,
      loading: session === undefined || !isRestored,
      lacksSecondStep: isHalf,
      roles,
      rolesState,
      rolesError: error,
      reloadRoles: () => refetch(),
      isAdmin: roles.includes('admin'),
      isOpsManager: roles.includes('ops_manager'),
      isSupervisor: roles.includes('supervisor'),
      isHr: roles.includes('hr'),
    };
  }, [session, isRestored, isHalf, data, status, error, refetch]);

  return <AuthContext value={auth}>{children}</AuthContext>;
}
