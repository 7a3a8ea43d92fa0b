// Lets through whoever is signed in with all the factors the account has. Everyone else sees a sign-in at the same
// address, so that a deep link opens after it.
import { lazy, type ReactNode, Suspense } from 'react';
import { Loading } from '#web/components/ui/loading.tsx';
import { useAuth } from '#web/lib/session/auth-context.ts';

const SecondStep = lazy(() =>
  import('./second-step/second-step.tsx').then((module) => ({ default: module.SecondStep })),
);

type RequireIdentityProps = {
  /** The sign-in that fits the place. */
  signIn: ReactNode;
  children: ReactNode;
};

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
