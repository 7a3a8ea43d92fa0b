// /staff: what there is for a signed-in member of staff.
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { mayEnterPortal } from '#shared/permissions.ts';
import { TopBar } from '#web/components/layout/top-bar.tsx';
import { PortalSignIn } from '#web/features/auth/components/portal-sign-in.tsx';
import { RequireSession } from '#web/features/auth/components/require-session.tsx';
import { SignOutButton } from '#web/features/auth/components/sign-out-button.tsx';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';

type WayOnProps = { to: '/deployments' | '/admin'; title: string; text: string };

function WayOn({ to, title, text }: WayOnProps) {
  return (
    <li>
      <Link
        to={to}
        className="flex items-center gap-4 rounded-sm border border-line bg-raised p-5 shadow-panel transition-[border-color] hover:border-accent-fill sm:p-6"
      >
        <span className="flex-1">
          <span className="block font-display text-xl leading-tight">{title}</span>
          <span className="mt-1.5 block text-muted">{text}</span>
        </span>
        <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-accent" />
      </Link>
    </li>
  );
}

function StaffHome() {
  const { user, roles } = useAuth();
  usePageTitle('Staff Portal');
  return (
    <>
      <TopBar email={user?.email}>
        <SignOutButton label="Logout" />
      </TopBar>
      <main className="mx-auto max-w-3xl px-4 py-8 sm:px-8 sm:py-14">
        <h1 className="font-display text-3xl leading-tight sm:text-4xl">Staff Portal</h1>
        <ul className="mt-8 grid gap-4">
          <WayOn
            to="/deployments"
            title="Guard Deployment Tracker"
            text="See who is deployed where, and add or remove deployments."
          />
          {mayEnterPortal(roles) && (
            <WayOn to="/admin" title="Admin Portal" text="Manage the company's operations." />
          )}
        </ul>
      </main>
    </>
  );
}

export function StaffPortal() {
  return (
    <RequireSession signIn={<PortalSignIn />}>
      <StaffHome />
    </RequireSession>
  );
}
