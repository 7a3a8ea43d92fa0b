import { ArrowLeft, Hourglass } from 'lucide-react';
import { AuthLayout } from '#web/components/layout/auth-layout.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { rolesQuery } from '#web/lib/session/session-queries.ts';
import { signInName } from '#web/lib/session/sign-in-name.ts';
import { SessionNotice } from './session-notice.tsx';
import { SignOutButton } from './sign-out-button.tsx';

export function WaitingForApproval() {
  const { user, reloadRoles } = useAuth();
  useLiveTable(ownRows(user?.id, 'user_roles'), rolesQuery(user?.id).queryKey);
  usePageTitle('Waiting for approval');
  return (
    <AuthLayout
      title="Waiting for approval"
      subtitle="Your account has been created"
      notice={<SessionNotice className="mb-5" />}
      wayOut={<SignOutButton label="Back to sign in" variant="link" Icon={ArrowLeft} />}
    >
      <div className="grid justify-items-center gap-5 p-6 text-center sm:p-8">
        <Hourglass aria-hidden="true" className="size-10 text-accent" strokeWidth={1.5} />
        <div>
          <p className="text-pretty">
            An administrator has to give you a role before you can continue. Your portal then opens
            automatically.
          </p>
          <p className="mt-2 text-sm wrap-anywhere text-muted">Signed in as {signInName(user)}</p>
        </div>
        <Button variant="secondary" onClick={() => void reloadRoles()}>
          Check again
        </Button>
      </div>
    </AuthLayout>
  );
}
