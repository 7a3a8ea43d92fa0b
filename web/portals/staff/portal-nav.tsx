// The ways through the staff portal: under the thumb on a phone, below the header on wider screens.
import { Link } from '@tanstack/react-router';
import { BadgeCheck, CalendarClock, House, ReceiptText } from 'lucide-react';

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
