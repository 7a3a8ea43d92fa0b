import { FileText } from 'lucide-react';
import { type Column, moneyColumn, TOTAL } from '#web/components/list/columns.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { formatDay, formatDayShort, formatPeriod } from '#web/lib/format/dates.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import type { PayrollRow } from './schema.ts';

export const payrollColumns: Column<PayrollRow>[] = [
  {
    header: 'Staff Name',
    card: 'title',
    className: 'font-semibold compact:max-w-36',
    sort: 'name',
    cell: (row) => <PersonLink id={row.staff_id} name={row.staff.full_name} />,
  },
  { header: 'Role', className: 'compact:max-w-24', cell: (row) => ROLE_LABELS[row.staff.role] },
  {
    header: 'Period',
    className: 'min-w-22 compact:whitespace-nowrap',
    sort: 'period',
    cell: (row) => formatPeriod(row.period_start, row.period_end),
  },
  moneyColumn('Base Amount', (row) => row.base_amount),
  moneyColumn('Deductions', (row) => row.deductions),
  moneyColumn('Bonuses', (row) => row.bonuses),
  moneyColumn('Net Amount', (row) => row.net_amount, { sort: 'net', className: TOTAL }),
  {
    header: 'Payment Date',
    className: 'compact:whitespace-nowrap',
    sort: 'paid',
    cell: ({ payment_date: day }) =>
      day === null ? (
        '-'
      ) : (
        <time dateTime={day} title={formatDay(day)}>
          {formatDayShort(day)}
          <span className="compact:hidden">, {day.slice(0, 4)}</span>
        </time>
      ),
  },
  {
    header: 'Status',
    card: 'aside',
    cell: ({ payment_status, returned_on }) => (
      <>
        <StatusBadge status={payment_status} />
        {returned_on && (
          <span className="block text-sm text-muted">Returned {formatDayShort(returned_on)}</span>
        )}
      </>
    ),
  },
];

export const payrollName = (row: PayrollRow) => `payroll of ${row.staff.full_name}`;

type PayslipButtonProps = { row: PayrollRow; onPress: (row: PayrollRow) => void };

export function PayslipButton({ row, onPress }: PayslipButtonProps) {
  return (
    <IconButton
      title="Payslip"
      label={`Payslip of ${row.staff.full_name}`}
      Icon={FileText}
      onClick={() => onPress(row)}
    />
  );
}
