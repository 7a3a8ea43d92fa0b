import { FileText } from 'lucide-react';
import { formatDollars } from '#shared/money.ts';
import { columnsOf, RowActions } from '#web/components/list/columns.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { formatDay, formatPeriod } from '#web/lib/format/dates.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import type { PayrollRow } from './schema.ts';

type Actions = {
  onEdit: (row: PayrollRow) => void;
  onDelete: (row: PayrollRow) => void;
  onPayslip: (row: PayrollRow) => void;
};

const AMOUNTS = [
  ['base_amount', 'Base Amount'],
  ['deductions', 'Deductions'],
  ['bonuses', 'Bonuses'],
  ['net_amount', 'Net Amount'],
] as const;

export const payrollColumns = ({ onEdit, onDelete, onPayslip }: Actions) =>
  columnsOf<PayrollRow>((column) => [
    column.display({
      id: 'name',
      header: 'Staff Name',
      meta: { card: 'title', className: 'font-semibold', sort: 'name' },
      cell: ({ row }) => row.original.staff.full_name,
    }),
    column.display({
      id: 'role',
      header: 'Role',
      cell: ({ row }) => ROLE_LABELS[row.original.staff.role],
    }),
    column.display({
      id: 'period',
      header: 'Period',
      meta: { className: 'min-w-22', sort: 'period' },
      cell: ({ row }) => formatPeriod(row.original.period_start, row.original.period_end),
    }),
    ...AMOUNTS.map(([id, header]) =>
      column.display({
        id,
        header,
        meta: {
          ...(id === 'net_amount' ? { sort: 'net' } : {}),
          className: `text-right tabular-nums whitespace-nowrap ${id === 'net_amount' ? 'font-semibold' : ''}`,
        },
        cell: ({ row }) => formatDollars(row.original[id]),
      }),
    ),
    column.display({
      id: 'paid',
      header: 'Payment Date',
      meta: { sort: 'paid' },
      cell: ({ row: { original } }) =>
        original.payment_date ? formatDay(original.payment_date) : '-',
    }),
    column.display({
      id: 'status',
      header: 'Status',
      meta: { card: 'aside' },
      cell: ({ row: { original } }) => <StatusBadge status={original.payment_status} />,
    }),
    column.display({
      id: 'actions',
      header: 'Actions',
      meta: { card: 'actions', className: 'text-right' },
      cell: ({ row: { original } }) => (
        <RowActions
          name={`payroll of ${original.staff.full_name}`}
          onEdit={() => onEdit(original)}
          onDelete={() => onDelete(original)}
        >
          <Button
            variant="ghost"
            size="icon"
            title="Payslip"
            aria-label={`Payslip of ${original.staff.full_name}`}
            onClick={() => onPayslip(original)}
          >
            <FileText aria-hidden="true" className="size-4" />
          </Button>
        </RowActions>
      ),
    }),
  ]);
