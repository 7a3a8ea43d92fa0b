import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Failure } from '#web/components/layout/screen.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { useLoadFailure } from '#web/components/ui/use-load-failure.ts';
import { lazily } from '#web/lib/render/lazily.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import { isClientContact } from '#web/lib/session/client-contact.ts';
import { profileQuery } from '#web/lib/session/session-queries.ts';
import { backend } from '#web/lib/supabase/client.ts';
import { RolesFailure } from './roles-failure.tsx';
import { SessionNotice } from './session-notice.tsx';
import { SignOutButton } from './sign-out-button.tsx';

/** Loaded separately, because users with a session don't see it. */
export const PortalSignIn = lazily(async () => (await import('./portal-sign-in.tsx')).PortalSignIn);

const SecondStep = lazy(() =>
  import('./second-step.tsx').then((module) => ({ default: module.SecondStep })),
);

type RequireIdentityProps = {
  /** The portal's sign-in screen. */
  signIn: ReactNode;
  children: ReactNode;
};

/** Requires a session with all factors of the account. The sign-in shows at the same URL, so deep links work. */
export function RequireIdentity({ signIn, children }: RequireIdentityProps) {
  const { user, loading, lacksSecondStep } = useAuth();
  if (loading) return <Loading className="min-h-dvh" />;
  if (!user) return signIn;
  if (!lacksSecondStep) return children;
  return (
    <Suspense fallback={<Loading className="min-h-dvh" />}>
      <SecondStep />
    </Suspense>
  );
}

const FirstPassword = lazy(() =>
  import('./first-password.tsx').then((module) => ({ default: module.FirstPassword })),
);

/** Requires that a temporary password has been changed. */
function RequireOwnPassword({ children }: { children: ReactNode }) {
  const { user } = useAuth();
  const query = useQuery(profileQuery(user?.id));
  const { reason, retry } = useLoadFailure(query, 'Error');
  const { data } = query;
  if (data) return data.must_change_password ? <FirstPassword /> : children;
  if (!reason) return <Loading className="min-h-dvh" />;
  return (
    <Failure
      title="Your profile could not be loaded"
      message={`You are signed in, but your data could not be loaded. Try again in a moment. Reason: ${reason}`}
      onRetry={retry}
      otherAction={<SignOutButton label="Logout" variant="ghost" />}
    />
  );
}

const WaitingForApproval = lazy(() =>
  import('./waiting-for-approval.tsx').then((module) => ({ default: module.WaitingForApproval })),
);

/** Under the sign-up policy `approval`, requires a role. */
function RequireRole({ children }: { children: ReactNode }) {
  const { roles, rolesState } = useAuth();
  if (backend.config.signupPolicy !== 'approval' || roles.length > 0) return children;
  if (rolesState === 'loading') return <Loading className="min-h-dvh" />;
  if (rolesState === 'ready') return <WaitingForApproval />;
  return <RolesFailure />;
}

/** The portal of clients is a page of its own. */
function ClientPortal() {
  useEffect(() => location.replace('/client'), []);
  return <Loading className="min-h-dvh" />;
}

type RequireSessionProps = {
  /** The sign-in screen, where it isn't the portals' own. */
  signIn?: ReactNode;
  children: ReactNode;
};

/**
 * Wraps every portal of the company: sign-in, second step, own password and, depending on the sign-up policy, a role.
 * Contacts of clients have a portal of their own.
 */
export function RequireSession({ signIn, children }: RequireSessionProps) {
  const { user } = useAuth();
  const portalSignIn = (
    <LazyPart fallback={<Loading className="min-h-dvh" />}>
      <PortalSignIn />
    </LazyPart>
  );
  return (
    <RequireIdentity signIn={signIn ?? portalSignIn}>
      {isClientContact(user) ? (
        <ClientPortal />
      ) : (
        <Suspense fallback={<Loading className="min-h-dvh" />}>
          <RequireOwnPassword>
            <RequireRole>
              <SessionNotice className="rounded-none border-x-0 border-t-0 px-4 sm:px-8" />
              {children}
            </RequireRole>
          </RequireOwnPassword>
        </Suspense>
      )}
    </RequireIdentity>
  );
}
