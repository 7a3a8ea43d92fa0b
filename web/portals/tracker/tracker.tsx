import { getRouteApi } from '@tanstack/react-router';
import { PortalLinks } from '#web/components/layout/portal-links.tsx';
import { TopBar } from '#web/components/layout/top-bar.tsx';
import { RequireSession } from '#web/features/rights/auth/require-session.tsx';
import { SignOutButton } from '#web/features/rights/auth/sign-out-button.tsx';
import { TrackerList } from '#web/features/shifts/deployments/tracker-list.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { signInName } from '#web/lib/session/sign-in-name.ts';
import { TrackerSignIn } from './tracker-sign-in.tsx';

const route = getRouteApi('/deployments');

export function TrackerScreen() {
  const { user } = useAuth();
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  usePageTitle('Guard Deployment Tracker');
  return (
    <>
      <TopBar email={signInName(user)}>
        <SignOutButton label="Sign Out" />
      </TopBar>
      <main className="mx-auto max-w-7xl px-4 pt-6 pb-8 sm:px-8 sm:pt-10 sm:pb-12">
        <PortalLinks className="mb-3" />
        <TrackerList
          q={q}
          onSearch={(text) => navigate({ search: text ? { q: text } : {}, replace: true })}
        />
      </main>
    </>
  );
}

export function Tracker() {
  return (
    <RequireSession signIn={<TrackerSignIn />}>
      <TrackerScreen />
    </RequireSession>
  );
}
