// /auth. An existing session continues to the admin portal; after signing in here, guards continue to the staff portal.
import { Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { mayEnterPortal } from '#shared/permissions.ts';
import { Loading } from '#web/components/ui/loading.tsx';
import { PortalSignIn } from '#web/features/auth/portal-sign-in.tsx';
import { RequireSession } from '#web/features/auth/require-session.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import { backend } from '#web/lib/supabase/client.ts';

function NextPortal({ isFresh }: { isFresh: boolean }) {
  const { roles, rolesState } = useAuth();
  if (isFresh && rolesState === 'loading') return <Loading className="min-h-dvh" />;
  const isGuard = rolesState === 'ready' && !mayEnterPortal(roles);
  return <Navigate to={isFresh && isGuard ? '/staff' : '/admin'} replace />;
}

export function AuthScreen() {
  const { user, loading } = useAuth();
  // A mail link or an external provider signs in while the page opens.
  const [isFresh, setFresh] = useState(() => backend.isLinkArrival);
  if (!loading && !user && !isFresh) setFresh(true);
  return (
    <RequireSession signIn={<PortalSignIn />}>
      <NextPortal isFresh={isFresh} />
    </RequireSession>
  );
}
