// The columns of the courses.
import { formatCount } from '#shared/count.ts';
import { columnsOf } from '#web/components/list/columns.ts';
import { RowActions } from '#web/components/list/row-actions.tsx';
import type { CourseTotals } from '../api/list-totals.ts';
import type { Course } from '../schema.ts';

export type CourseRow = Course & { totals: CourseTotals | undefined };

/** @returns how many certifications are of the course */
export const heldOf = ({ totals }: CourseRow) =>
  totals ? totals.valid + totals.expiring + totals.expired : 0;

/** @returns for example "2 years" or "18 months" */
function periodOf(months: number | null): string {
  if (months === null) return '-';
  const [count, unit] = months % 12 === 0 ? [months / 12, 'year'] : [months, 'month'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

type Actions = { onEdit: (row: CourseRow) => void; onDelete: (row: CourseRow) => void };

export const courseColumns = ({ onEdit, onDelete }: Actions) =>
  columnsOf<CourseRow>((column) => [
    column.display({
      id: 'title',
      header: 'Course',
      meta: { card: 'title', className: 'font-semibold' },
      cell: ({ row }) => row.original.title,
    }),
    column.display({
      id: 'description',
      header: 'Description',
      meta: { card: 'text', className: 'min-w-48 max-w-md text-muted' },
      cell: ({ row }) => row.original.description ?? '-',
    }),
    column.display({
      id: 'period',
      header: 'Valid For',
      meta: { className: 'whitespace-nowrap' },
      cell: ({ row }) => periodOf(row.original.validity_months),
    }),
    column.display({
      id: 'held',
      header: 'Certificates',
      meta: { className: 'text-right tabular-nums' },
      cell: ({ row }) => formatCount(heldOf(row.original)),
    }),
    column.display({
      id: 'expiring',
      header: 'Expiring',
      meta: { className: 'text-right tabular-nums' },
      cell: ({ row }) => row.original.totals?.expiring ?? 0,
    }),
    column.display({
      id: 'expired',
      header: 'Expired',
      meta: { className: 'text-right tabular-nums' },
      cell: ({ row }) => row.original.totals?.expired ?? 0,
    }),
    column.display({
      id: 'actions',
      header: 'Actions',
      meta: { card: 'actions', className: 'text-right' },
      cell: ({ row: { original } }) => (
        <RowActions
          name={original.title}
          onEdit={() => onEdit(original)}
          onDelete={() => onDelete(original)}
        />
      ),
    }),
  ]);
