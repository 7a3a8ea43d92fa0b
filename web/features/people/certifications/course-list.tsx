import { useMemo, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { formatCount } from '#shared/count.ts';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { createFields } from '#web/components/form/fields.tsx';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { actionsColumn, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { EmptyList } from '#web/components/list/empty-list.tsx';
import { ListStates } from '#web/components/list/list-states.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { type CourseRow, courses, useCourses, useTotals, withTotals } from './api.ts';
import type { CourseForm } from './schema.ts';
import type { CertificationSearch } from './search.ts';

/** @returns how many certifications there are for the course */
const heldOf = ({ totals }: CourseRow) =>
  totals ? totals.valid + totals.expiring + totals.expired : 0;

/** @returns for example "2 years" or "18 months" */
function periodOf(months: number | null): string {
  if (months === null) return '-';
  const [count, unit] = months % 12 === 0 ? [months / 12, 'year'] : [months, 'month'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

type Actions = { onEdit: (row: CourseRow) => void; onDelete: (row: CourseRow) => void };

const courseColumns = ({ onEdit, onDelete }: Actions): Column<CourseRow>[] => [
  { header: 'Course', card: 'title', className: 'font-semibold', cell: (row) => row.title },
  {
    header: 'Description',
    card: 'text',
    className: 'min-w-48 max-w-md text-muted',
    cell: (row) => row.description ?? '-',
  },
  {
    header: 'Valid For',
    className: 'whitespace-nowrap',
    cell: (row) => periodOf(row.validity_months),
  },
  {
    header: 'Certificates',
    className: 'text-right tabular-nums',
    cell: (row) => formatCount(heldOf(row)),
  },
  {
    header: 'Expiring',
    className: 'text-right tabular-nums',
    cell: (row) => row.totals?.expiring ?? 0,
  },
  {
    header: 'Expired',
    className: 'text-right tabular-nums',
    cell: (row) => row.totals?.expired ?? 0,
  },
  actionsColumn((row) => ({
    name: row.title,
    onEdit: () => onEdit(row),
    onDelete: () => onDelete(row),
  })),
];

const VALIDITY = {
  optional: true,
  hint: 'Used to suggest the expiry date of new certificates.',
  className: 'sm:max-w-56',
};

function CourseFields(form: UseFormReturn<CourseForm>) {
  const field = createFields(form);
  return (
    <div className="grid gap-5">
      {field.text('title', 'Title')}
      {field.notes('description', 'Description')}
      {field.count('validity_months', 'Valid For (months)', VALIDITY)}
    </div>
  );
}

function obstacleOf(course: CourseRow): string | undefined {
  const held = heldOf(course);
  if (held === 0) return undefined;
  const certificates = held === 1 ? '1 certificate' : `${held} certificates`;
  return `You can't delete ${course.title} while there ${held === 1 ? 'is' : 'are'} ${certificates} for it.`;
}

type CourseListProps = {
  search: CertificationSearch;
  onChange: ChangeSearch<CertificationSearch>;
};

export function CourseList({ search: { open }, onChange }: CourseListProps) {
  const query = useCourses();
  const { data: totals } = useTotals();
  const [deleting, setDeleting] = useState<CourseRow>();
  const columns = useMemo(
    () => courseColumns({ onEdit: ({ id }) => onChange({ open: id }), onDelete: setDeleting }),
    [onChange],
  );
  return (
    <>
      <ListStates
        query={query}
        loading="Loading courses..."
        isEmpty={(rows) => rows.length === 0}
        empty={<EmptyList noun="courses" />}
      >
        {(rows) => (
          <DataTable
            label="Courses"
            columns={columns}
            rows={withTotals(rows, totals)}
            rowId={({ id }) => id}
          />
        )}
      </ListStates>
      {open && (
        <RecordDialog
          records={courses}
          open={open}
          listed={query.data}
          added="Course added successfully"
          onClose={() => onChange({ open: undefined })}
        >
          {(form) => <CourseFields {...form} />}
        </RecordDialog>
      )}
      {deleting && (
        <DeleteRecordDialog
          records={courses}
          id={deleting.id}
          consequence={`${deleting.title} will be deleted. No one holds a certificate for it.`}
          obstacle={obstacleOf(deleting)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}
