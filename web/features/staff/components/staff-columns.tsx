// The columns of the staff.
import { formatDollars } from '#shared/money.ts';
import { columnsOf } from '#web/components/list/columns.ts';
import { RowActions } from '#web/components/list/row-actions.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { EmailText } from '#web/components/ui/email-text.tsx';
import { formatDay } from '#web/lib/format/dates.ts';
import { FREQUENCY_LABELS, ROLE_LABELS, STATUS_LABELS, STATUS_TONES } from '../labels.ts';
import type { StaffRow } from '../schema.ts';

type Actions = { onEdit: (row: StaffRow) => void; onDelete: (row: StaffRow) => void };

export const staffColumns = ({ onEdit, onDelete }: Actions) =>
  columnsOf<StaffRow>((column) => [
    column.display({
      id: 'name',
      header: 'Name',
      meta: { card: 'title', className: 'font-semibold', sort: 'name' },
      cell: ({ row }) => row.original.full_name,
    }),
    column.display({
      id: 'email',
      header: 'Email',
      meta: { className: 'max-w-48 break-words' },
      cell: ({ row: { original } }) =>
        original.email === null ? '-' : <EmailText address={original.email} />,
    }),
    column.display({
      id: 'phone',
      header: 'Phone',
      meta: { className: 'whitespace-nowrap' },
      cell: ({ row }) => row.original.phone ?? '-',
    }),
    column.display({
      id: 'role',
      header: 'Role',
      cell: ({ row }) => ROLE_LABELS[row.original.role],
    }),
    column.display({
      id: 'hired',
      header: 'Hire Date',
      meta: { className: 'whitespace-nowrap', sort: 'hired' },
      cell: ({ row }) => formatDay(row.original.hire_date),
    }),
    column.display({
      id: 'salary',
      header: 'Salary',
      meta: { className: 'text-right tabular-nums whitespace-nowrap', sort: 'salary' },
      cell: ({ row }) => formatDollars(row.original.salary_amount),
    }),
    column.display({
      id: 'frequency',
      header: 'Frequency',
      cell: ({ row }) => FREQUENCY_LABELS[row.original.payment_frequency],
    }),
    column.display({
      id: 'status',
      header: 'Status',
      meta: { card: 'aside' },
      cell: ({ row }) => (
        <Badge tone={STATUS_TONES[row.original.status]}>{STATUS_LABELS[row.original.status]}</Badge>
      ),
    }),
    column.display({
      id: 'actions',
      header: 'Actions',
      meta: { card: 'actions', className: 'text-right' },
      cell: ({ row: { original } }) => (
        <RowActions
          name={original.full_name}
          onEdit={() => onEdit(original)}
          onDelete={() => onDelete(original)}
        />
      ),
    }),
  ]);
