import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { formatCount } from '#shared/count.ts';
import { WORD_HINTS } from '#web/lib/vocabulary/duty-words.ts';
import type { Start } from './api.ts';

type Decision = {
  label: string;
  count: number | null;
  /** What is urgent about it. */
  hint?: string | false;
  /** What is counted. */
  explained?: string;
  to:
    | '/admin/incidents'
    | '/admin/leave'
    | '/admin/roster/requests'
    | '/admin/shifts'
    | '/admin/attendance'
    | '/admin/enquiries'
    | '/admin/certifications';
  search: Record<string, string>;
};

/** The database leaves out what the user's role does not decide: null. */
const decisionsOf = (start: Start): Decision[] => [
  {
    label: 'Incidents past their due time',
    count: start.incidents.overdue,
    to: '/admin/incidents',
    search: { due: 'overdue' },
  },
  {
    label: 'Your open incidents',
    count: start.incidents.mine,
    to: '/admin/incidents',
    search: { owner: 'me', status: 'active' },
  },
  {
    label: 'Open incidents without an owner',
    count: start.incidents.unowned,
    hint:
      start.incidents.unowned_grave > 0 &&
      `${formatCount(start.incidents.unowned_grave)} high or critical`,
    to: '/admin/incidents',
    search: { owner: 'none', status: 'active' },
  },
  {
    label: 'Attendance exceptions to review',
    count: start.attendance_to_review,
    to: '/admin/attendance',
    search: { state: 'review' },
  },
  {
    label: 'Forgotten clock-outs',
    count: start.forgotten_clock_outs,
    explained: WORD_HINTS.forgotten,
    to: '/admin/attendance',
    search: { state: 'forgotten' },
  },
  {
    label: 'Requests from guards',
    count: start.requests,
    to: '/admin/roster/requests',
    search: {},
  },
  {
    label: 'Leave requests to decide',
    count: start.leave_pending,
    hint:
      start.leave_soon !== null &&
      start.leave_soon > 0 &&
      `${formatCount(start.leave_soon)} within 3 days`,
    to: '/admin/leave',
    search: { status: 'pending' },
  },
  {
    label: 'New enquiries',
    count: start.new_enquiries,
    to: '/admin/enquiries',
    search: { state: 'new' },
  },
  {
    label: 'Expired certificates',
    count: start.expired_certificates,
    to: '/admin/certifications',
    search: { state: 'expired' },
  },
  {
    label: 'Certificates to renew within 30 days',
    count: start.expiring_certificates,
    to: '/admin/certifications',
    search: { state: 'expiring' },
  },
];

/** Each row opens the list that it counts. */
export function Decisions({ start }: { start: Start }) {
  const waiting = decisionsOf(start).filter(({ count }) => count !== null && count > 0);
  if (waiting.length === 0) return <p className="text-muted">Nothing waits for you.</p>;
  const widest = Math.max(...waiting.map(({ count }) => formatCount(count ?? 0).length));
  return (
    <ul className="divide-y divide-line">
      {waiting.map(({ label, count, hint, explained, to, search }) => (
        <li key={label}>
          <Link
            to={to}
            search={search}
            className="group flex min-h-11 items-center gap-3 py-1.5 underline-offset-4"
          >
            <span
              className="min-w-8 shrink-0 text-right text-lg font-semibold tabular-nums"
              style={{ width: `${widest}ch` }}
            >
              {formatCount(count ?? 0)}
            </span>
            <span className="min-w-0 flex-1 group-hover:underline">
              {label}
              {explained && <span className="block text-sm text-muted">{explained}</span>}
              {hint && <span className="block text-sm text-warning">{hint}</span>}
            </span>
            <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
