// What stands before every portal, in this order: a sign-in, the second step, a password of one's own, and, where the
// sign-up policy asks for it, a role.
import { type ReactNode, Suspense } from 'react';
import { Loading } from '#web/components/ui/loading.tsx';
import { RequireIdentity } from './require-identity.tsx';
import { RequireMembership } from './require-membership.tsx';
import { RequireOwnPassword } from './require-own-password.tsx';
import { SessionNotice } from './session-notice.tsx';

type RequireSessionProps = {
  /** The sign-in that fits the place. */
  signIn: ReactNode;
  children: ReactNode;
};

export function RequireSession({ signIn, children }: RequireSessionProps) {
  return (
    <RequireIdentity signIn={signIn}>
      <Suspense fallback={<Loading className="min-h-dvh" />}>
        <RequireOwnPassword>
          <RequireMembership>
            <SessionNotice className="rounded-none border-x-0 border-t-0 px-4 sm:px-8" />
            {children}
          </RequireMembership>
        </RequireOwnPassword>
      </Suspense>
    </RequireIdentity>
  );
}
