import { Link } from '@tanstack/react-router';
import type { Column } from '#web/components/list/columns.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { formatPayPeriod } from '#web/lib/format/dates.ts';
import { issueLabel } from './issue-kinds.ts';
import { hoursText, type ListedSheet, workedMinutes } from './timesheet-api.ts';

const FIGURE = 'text-right whitespace-nowrap tabular-nums';

export function SheetLink({ row }: { row: Pick<ListedSheet, 'id' | 'full_name'> }) {
  return (
    <Link
      to="/admin/timesheets/$id"
      params={{ id: row.id }}
      className="-my-2.5 inline-flex min-h-11 items-center font-semibold underline decoration-accent/35 underline-offset-4 hover:decoration-accent compact:min-h-8"
    >
      {row.full_name}
    </Link>
  );
}

/** @returns the days, unless the period is a whole month, which the heading names */
function partialPeriod({ period_start, period_end }: ListedSheet): string {
  const period = formatPayPeriod(period_start, period_end);
  return period.includes(' - ') ? period : '';
}

export const sheetColumns: Column<ListedSheet>[] = [
  {
    header: 'Name',
    card: 'title',
    className: 'min-w-36',
    cell: (row) => (
      <>
        <SheetLink row={row} />
        <SecondLine compact="hidden">{partialPeriod(row)}</SecondLine>
      </>
    ),
  },
  { header: 'Planned', className: FIGURE, cell: (row) => hoursText(row.planned_minutes) },
  { header: 'Worked', className: FIGURE, cell: (row) => hoursText(workedMinutes(row)) },
  {
    header: 'Paid',
    className: FIGURE,
    cell: (row) => <span className="font-semibold">{hoursText(row.paid_minutes)}</span>,
  },
  {
    header: 'Overtime',
    className: FIGURE,
    cell: (row) => hoursText(row.overtime_1_minutes + row.overtime_2_minutes),
  },
  {
    header: 'Missing',
    className: FIGURE,
    cell: (row) => hoursText(row.missing_minutes),
  },
  {
    header: 'To decide',
    className: 'min-w-32 compact:max-w-40',
    cell: ({ issues, open_issues }) =>
      open_issues > 0 && (
        <span className="text-sm" title={issues.map(issueLabel).join(', ')}>
          <span className="font-semibold text-warning">{open_issues}</span>{' '}
          {issues.map(issueLabel).join(', ')}
        </span>
      ),
  },
  {
    header: 'Status',
    card: 'aside',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
];
