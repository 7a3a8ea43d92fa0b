// /staff and everything under it: a session first, then the header and the screen.
import { Outlet } from '@tanstack/react-router';
import { TopBar } from '#web/components/layout/top-bar.tsx';
import { PortalSignIn } from '#web/features/auth/components/portal-sign-in.tsx';
import { RequireSession } from '#web/features/auth/components/require-session.tsx';
import { SignOutButton } from '#web/features/auth/components/sign-out-button.tsx';
import { useAuth } from '#web/lib/session/auth-context.ts';

function StaffShell() {
  const { user } = useAuth();
  return (
    <>
      <TopBar email={user?.email}>
        <SignOutButton label="Logout" compact />
      </TopBar>
      <main className="mx-auto max-w-6xl px-4 pt-6 pb-16 sm:px-8 sm:pt-10">
        <Outlet />
      </main>
    </>
  );
}

export function StaffPortal() {
  return (
    <RequireSession signIn={<PortalSignIn />}>
      <StaffShell />
    </RequireSession>
  );
}
