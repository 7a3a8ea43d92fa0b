// /auth. An existing session continues to the admin portal; after signing in here, guards continue to the staff portal,
// and the office to the screen that each of them works with.
import { Navigate, useRouter } from '@tanstack/react-router';
import { lazy, type ReactNode, useEffect, useState } from 'react';
import { mayEnterPortal } from '#shared/screens.ts';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { RequireSession } from '#web/features/rights/auth/require-session.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import { firstScreen } from '#web/lib/session/first-screen.ts';
import { backend } from '#web/lib/supabase/client.ts';

const StartCodeSignIn = lazy(async () => ({
  default: (await import('#web/features/rights/auth/start-code.tsx')).StartCodeSignIn,
}));

function NextPortal({ isFresh }: { isFresh: boolean }) {
  const { user, roles, rolesState } = useAuth();
  const { history } = useRouter();
  const opens =
    isFresh && user && rolesState === 'ready'
      ? mayEnterPortal(roles)
        ? firstScreen(user.id, roles)
        : '/staff'
      : undefined;
  useEffect(() => {
    if (opens) history.replace(opens);
  }, [opens, history]);
  if (opens || (isFresh && rolesState === 'loading')) return <Loading className="min-h-dvh" />;
  return <Navigate to="/admin" replace />;
}

/** @param signIn shown without a session; the portals' own if undefined */
function SignIn({ signIn }: { signIn?: ReactNode }) {
  const { user, loading } = useAuth();
  // A mail link or an external provider signs in while the page opens.
  const [isFresh, setFresh] = useState(() => backend.isLinkArrival);
  if (!loading && !user && !isFresh) setFresh(true);
  return (
    <RequireSession signIn={signIn}>
      <NextPortal isFresh={isFresh} />
    </RequireSession>
  );
}

export const AuthScreen = () => <SignIn />;

/** /auth/start */
export const StartScreen = () => (
  <SignIn
    signIn={
      <LazyPart fallback={<Loading className="min-h-dvh" />}>
        <StartCodeSignIn />
      </LazyPart>
    }
  />
);
