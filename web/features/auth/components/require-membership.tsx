// Under the sign-up policy `approval`, lets through whoever was given a role. The others wait, and see nothing else.
import { lazy, type ReactNode } from 'react';
import { Failure } from '#web/components/layout/failure.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { signupPolicy } from '#web/lib/supabase/client.ts';
import { SignOutButton } from './sign-out-button.tsx';

const WaitingForApproval = lazy(() =>
  import('./waiting-for-approval.tsx').then((module) => ({ default: module.WaitingForApproval })),
);

export function RequireMembership({ children }: { children: ReactNode }) {
  const { roles, rolesState, reloadRoles } = useAuth();
  if (signupPolicy() !== 'approval' || roles.length > 0) return children;
  if (rolesState === 'loading') return <Loading className="min-h-dvh" />;
  if (rolesState === 'ready') return <WaitingForApproval />;
  return (
    <Failure
      title="Your permissions could not be loaded"
      message="Check your network and try again."
      onRetry={reloadRoles}
      otherAction={<SignOutButton label="Logout" variant="ghost" />}
    />
  );
}
