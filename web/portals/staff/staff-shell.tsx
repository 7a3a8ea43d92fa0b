import { Link, Outlet } from '@tanstack/react-router';
import {
  BadgeCheck,
  CalendarClock,
  ChevronRight,
  CloudUpload,
  House,
  ReceiptText,
  TriangleAlert,
  WifiOff,
} from 'lucide-react';
import { Suspense } from 'react';
import { Main } from '#web/components/layout/screen.tsx';
import { TopBar } from '#web/components/layout/top-bar.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { SignOutButton } from '#web/features/auth/sign-out-button.tsx';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { useOnline } from '#web/lib/supabase/online.ts';
import { registerKinds } from './outbox-kinds.ts';

export function OfflineBar() {
  const isOnline = useOnline();
  return (
    <div role="status" className="print:hidden">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2.5 border-b border-line bg-sunken px-4 py-2 text-sm">
          <WifiOff aria-hidden="true" className="size-4 shrink-0" />
          No connection. Showing the last loaded data.
        </p>
      )}
    </div>
  );
}

export function WaitingBar() {
  const { waiting, refused } = useOutbox();
  const counts = [
    waiting.length > 0 && `${waiting.length} waiting to send`,
    refused.length > 0 && `${refused.length} not accepted`,
  ].filter(Boolean);
  const Icon = refused.length > 0 ? TriangleAlert : CloudUpload;
  return (
    <div role="status" className="print:hidden">
      {counts.length > 0 && (
        <Link
          to="/staff/waiting"
          className="flex min-h-11 items-center justify-center gap-2.5 border-b border-warning/45 bg-warning/12 px-4 py-2 text-sm font-semibold text-warning focus-visible:-outline-offset-3"
        >
          <Icon aria-hidden="true" className="size-4.5 shrink-0" />
          {counts.join(', ')}
          <ChevronRight aria-hidden="true" className="size-4 shrink-0" />
        </Link>
      )}
    </div>
  );
}

const PLACES = [
  { to: '/staff', label: 'Home', Icon: House },
  { to: '/staff/attendance', label: 'Attendance', Icon: CalendarClock },
  { to: '/staff/certifications', label: 'Certificates', Icon: BadgeCheck },
  { to: '/staff/payslips', label: 'Payslips', Icon: ReceiptText },
] as const;

export function PortalNav() {
  return (
    <nav
      aria-label="Staff portal"
      className="z-30 border-line bg-raised max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:border-t max-sm:pb-[env(safe-area-inset-bottom)] sm:border-b print:hidden"
    >
      <ul className="mx-auto grid max-w-7xl auto-cols-fr grid-flow-col sm:auto-cols-max sm:gap-2 sm:px-5">
        {PLACES.map(({ to, label, Icon }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: true }}
              className="flex min-h-14 flex-col items-center justify-center gap-0.5 border-t-2 border-transparent text-xs font-semibold text-muted focus-visible:-outline-offset-3 aria-[current=page]:border-accent-fill aria-[current=page]:text-ink sm:min-h-12 sm:flex-row sm:gap-2 sm:border-t-0 sm:border-b-2 sm:px-3 sm:text-sm"
            >
              <Icon aria-hidden="true" className="size-5 sm:size-4" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

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
