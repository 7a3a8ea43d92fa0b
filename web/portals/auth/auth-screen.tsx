// /auth: the portal sign-in. Whoever is signed in already goes on to the admin portal.
import { Navigate } from '@tanstack/react-router';
import { PortalSignIn } from '#web/features/auth/components/portal-sign-in.tsx';
import { RequireSession } from '#web/features/auth/components/require-session.tsx';

export function AuthScreen() {
  return (
    <RequireSession signIn={<PortalSignIn />}>
      <Navigate to="/admin" replace />
    </RequireSession>
  );
}
