// What surrounds every screen of the staff portal: the header, what must be known, and the ways through it.
import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { Main } from '#web/components/layout/main.tsx';
import { TopBar } from '#web/components/layout/top-bar.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { SignOutButton } from '#web/features/auth/sign-out-button.tsx';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { OfflineBar } from './offline-bar.tsx';
import { registerKinds } from './outbox-kinds.ts';
import { PortalNav } from './portal-nav.tsx';
import { WaitingBar } from './waiting-bar.tsx';

registerKinds();

export function StaffShell() {
  const { user } = useAuth();
  return (
    <>
      <TopBar email={user?.email}>
        <SignOutButton label="Logout" compact />
      </TopBar>
      <OfflineBar />
      <WaitingBar />
      <PortalNav />
      <Main className="mx-auto max-w-7xl px-4 pt-6 pb-28 sm:px-8 sm:pt-10 sm:pb-16">
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </Main>
    </>
  );
}
