import { Link, useLocation } from '@tanstack/react-router';
import {
  CalendarDays,
  CircleUserRound,
  House,
  type LucideIcon,
  ReceiptText,
  Siren,
} from 'lucide-react';
import { SosButton } from '#web/features/safety/lone-guard/sos-button.tsx';
import { findDutySite } from './duty-site.ts';

type Place = {
  to: '/staff' | '/staff/shifts' | '/staff/report' | '/staff/payslips' | '/staff/me';
  label: string;
  Icon: LucideIcon;
  /** Screens that are reached from this one. */
  within: readonly string[];
};

const PLACES: readonly Place[] = [
  { to: '/staff', label: 'Home', Icon: House, within: [] },
  {
    to: '/staff/shifts',
    label: 'Shifts',
    Icon: CalendarDays,
    within: ['/staff/attendance', '/staff/open-shifts'],
  },
  { to: '/staff/report', label: 'Report', Icon: Siren, within: [] },
  { to: '/staff/payslips', label: 'Pay', Icon: ReceiptText, within: ['/staff/timesheet'] },
  {
    to: '/staff/me',
    label: 'Me',
    Icon: CircleUserRound,
    within: [
      '/staff/certifications',
      '/staff/waiting',
      '/staff/notices',
      '/staff/availability',
      '/staff/calendar',
    ],
  },
];

export function PortalNav({ userId }: { userId: string | undefined }) {
  const { pathname } = useLocation();
  const path = pathname.replace(/(.)\/+$/, '$1');
  return (
    <nav
      aria-label="Staff portal"
      data-bottom-bar
      className="z-30 border-line bg-raised max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:border-t max-sm:pb-[env(safe-area-inset-bottom)] sm:sticky sm:top-0 sm:border-b print:hidden"
    >
      <ul className="mx-auto grid max-w-7xl auto-cols-[minmax(0,1fr)] grid-flow-col sm:flex sm:gap-2 sm:px-5">
        {PLACES.map(({ to, label, Icon, within }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: true }}
              data-current={path === to || within.includes(path) || undefined}
              className="flex min-h-14 flex-col items-center justify-center gap-0.5 border-t-2 border-transparent text-[min(0.75rem,3.75vw)] font-semibold text-muted focus-visible:-outline-offset-3 data-current:border-accent-fill data-current:text-ink sm:min-h-12 sm:flex-row sm:gap-2 sm:border-t-0 sm:border-b-2 sm:px-3 sm:text-sm"
            >
              <Icon aria-hidden="true" className="size-5 sm:size-4" />
              {label}
            </Link>
          </li>
        ))}
        {userId && (
          <li className="sm:ml-auto">
            <SosButton userId={userId} findSite={() => findDutySite(userId)} />
          </li>
        )}
      </ul>
    </nav>
  );
}
