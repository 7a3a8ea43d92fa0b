import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { mayEnterPortal } from '#shared/screens.ts';
import { Loading } from '#web/components/ui/loading.tsx';
import { RequireSession } from '#web/features/rights/auth/require-session.tsx';
import { RolesFailure } from '#web/features/rights/auth/roles-failure.tsx';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { firstScreen, startAtRoot } from '#web/lib/session/first-screen.ts';
import { rolesKey } from '#web/lib/session/session-queries.ts';
import { AccessDenied } from './access-denied.tsx';
import { AdminShell } from './shell/admin-shell.tsx';

const ROOT = '/admin';

/**
 * A dispatcher, HR or finance who signs in at the root of the portal, where the public site leads, has named no screen:
 * the first one of the role opens. Any other address is a deep link and stays, as the root does for all others.
 * @returns whether that is still to come
 */
function useFirstScreen(isFresh: boolean): boolean {
  const { user, roles, rolesState } = useAuth();
  const { history } = useRouter();
  const [isDue, setDue] = useState(() => isFresh && history.location.pathname === ROOT);
  useEffect(() => {
    if (!isDue || !user || rolesState !== 'ready') return;
    const opens = mayEnterPortal(roles) && !startAtRoot(roles) ? firstScreen(user.id, roles) : ROOT;
    if (opens !== ROOT) history.replace(opens);
    setDue(false);
  }, [isDue, user, roles, rolesState, history]);
  return isDue && rolesState === 'ready';
}

function Gate({ isFresh }: { isFresh: boolean }) {
  const { user, roles, rolesState } = useAuth();
  const isMoving = useFirstScreen(isFresh);
  // A changed role opens or closes screens at once.
  useLiveTable(ownRows(user?.id, 'user_roles'), rolesKey);
  if (rolesState === 'loading' || isMoving) return <Loading className="min-h-dvh" />;
  if (rolesState === 'failed') return <RolesFailure />;
  if (mayEnterPortal(roles)) return <AdminShell />;
  return (
    <main className="grid min-h-dvh place-items-center px-5 py-16">
      <AccessDenied />
    </main>
  );
}

export function AdminPortal() {
  const { user, loading } = useAuth();
  const [isFresh, setFresh] = useState(false);
  if (!loading && !user && !isFresh) setFresh(true);
  return (
    <RequireSession>
      <Gate isFresh={isFresh} />
    </RequireSession>
  );
}
