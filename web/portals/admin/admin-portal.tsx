import { mayEnterPortal } from '#shared/screens.ts';
import { Loading } from '#web/components/ui/loading.tsx';
import { RequireSession } from '#web/features/rights/auth/require-session.tsx';
import { RolesFailure } from '#web/features/rights/auth/roles-failure.tsx';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { rolesKey } from '#web/lib/session/session-queries.ts';
import { AccessDenied } from './access-denied.tsx';
import { AdminShell } from './shell/admin-shell.tsx';

function Gate() {
  const { user, roles, rolesState } = useAuth();
  // A changed role opens or closes screens at once.
  useLiveTable(ownRows(user?.id, 'user_roles'), rolesKey);
  if (rolesState === 'loading') return <Loading className="min-h-dvh" />;
  if (rolesState === 'failed') return <RolesFailure />;
  if (mayEnterPortal(roles)) return <AdminShell />;
  return (
    <main className="grid min-h-dvh place-items-center px-5 py-16">
      <AccessDenied />
    </main>
  );
}

export function AdminPortal() {
  return (
    <RequireSession>
      <Gate />
    </RequireSession>
  );
}
