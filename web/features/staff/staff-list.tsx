import { useMemo } from 'react';
import { formatCount } from '#shared/count.ts';
import { formatDollars } from '#shared/money.ts';
import { DeleteDialog } from '#web/components/form/delete-dialog.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { latestOf, useRowDialogs } from '#web/components/form/use-row-dialogs.ts';
import { actionsColumn, type Column } from '#web/components/list/columns.tsx';
import { CsvImport } from '#web/components/list/csv-import.tsx';
import { FilterSelect } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import type { Totals } from '#web/components/list/totals.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { EmailText } from '#web/components/ui/email-text.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { PAY_FREQUENCY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { STAFF_STATUSES, STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import {
  exportStaff,
  staff,
  useImportStaff,
  usePayrollCount,
  useStaff,
  useStaffTotals,
} from './api.ts';
import { IMPORT_COLUMNS, readStaff } from './import.ts';
import {
  emptyForm,
  formOf,
  type Staff,
  type StaffRow,
  type StaffSearch,
  staffSchema,
} from './schema.ts';
import { SalaryHistory, StaffFields } from './staff-form.tsx';

type Actions = { onEdit: (row: StaffRow) => void; onDelete: (row: StaffRow) => void };

const staffColumns = ({ onEdit, onDelete }: Actions): Column<StaffRow>[] => [
  {
    header: 'Name',
    card: 'title',
    className: 'font-semibold',
    sort: 'name',
    cell: (row) => row.full_name,
  },
  {
    header: 'Email',
    className: 'max-w-48 break-words',
    cell: (row) => (row.email === null ? '-' : <EmailText address={row.email} />),
  },
  { header: 'Phone', className: 'whitespace-nowrap', cell: (row) => row.phone ?? '-' },
  { header: 'Role', cell: (row) => ROLE_LABELS[row.role] },
  {
    header: 'Hire Date',
    className: 'whitespace-nowrap',
    sort: 'hired',
    cell: (row) => formatDay(row.hire_date),
  },
  {
    header: 'Salary',
    className: 'text-right tabular-nums whitespace-nowrap',
    sort: 'salary',
    cell: (row) => formatDollars(row.salary_amount),
  },
  { header: 'Frequency', cell: (row) => PAY_FREQUENCY_LABELS[row.payment_frequency] },
  { header: 'Status', card: 'aside', cell: (row) => <StatusBadge status={row.status} /> },
  actionsColumn((row) => ({
    name: row.full_name,
    onEdit: () => onEdit(row),
    onDelete: () => onDelete(row),
  })),
];

const STATUS_OPTIONS = STAFF_STATUSES.map((status) => [status, STATUS_LABELS[status]] as const);

/** The footer of the table: one line per payment frequency. */
function useTotals(filters: Pick<StaffSearch, 'q' | 'status'>): Totals | undefined {
  const { data } = useStaffTotals(filters);
  if (!data) return undefined;
  const people = data.reduce((sum, row) => sum + row.people, 0);
  return {
    label: `Total of ${formatCount(people)}`,
    sums: {
      Salary: data.map((row) => (
        <span key={row.payment_frequency} className="block">
          {formatDollars(row.salaries)}
        </span>
      )),
      Frequency: data.map((row) => (
        <span key={row.payment_frequency} className="block">
          {PAY_FREQUENCY_LABELS[row.payment_frequency]}
        </span>
      )),
    },
  };
}

function obstacleOf(name: string, records: number): string | undefined {
  if (records === 0) return undefined;
  const counted = records === 1 ? '1 payroll record' : `${formatCount(records)} payroll records`;
  return `${name} has ${counted}, so the staff record can't be deleted. Set the status to inactive instead.`;
}

function DeleteStaffDialog({ person, onClose }: { person: Staff; onClose: () => void }) {
  const { data: records = 0 } = usePayrollCount(person.id);
  const remove = staff.useDelete();
  const restore = staff.useRestore();
  return (
    <DeleteDialog
      title="Delete Staff Member"
      question="Are you sure you want to delete this staff member?"
      consequence={`The record of ${person.full_name} will be deleted. Their user account is kept.`}
      obstacle={obstacleOf(person.full_name, records)}
      failure="Failed to delete staff member"
      remove={() => remove.mutateAsync(person.id)}
      deleted="Staff member deleted successfully"
      undo={{ restore: restore.mutateAsync, restored: 'Staff member restored' }}
      onClose={onClose}
    />
  );
}

type StaffListProps = { search: StaffSearch; onChange: ChangeSearch<StaffSearch> };

export function StaffList({ search, onChange }: StaffListProps) {
  const { q = '', status, sort, page = 1 } = search;
  const query = useStaff({ q, status, sort, page });
  const totals = useTotals({ q, status });
  const { entry, open, close, deleting, ask, stopAsking } = useRowDialogs<StaffRow>();
  const columns = useMemo(() => staffColumns({ onEdit: open, onDelete: ask }), [open, ask]);
  const save = staff.useSave();
  const importStaff = useImportStaff();
  const changed = entry === 'new' ? undefined : entry;
  return (
    <ListScreen
      title="Staff Management"
      exportRecords={() => exportStaff({ q, status, sort })}
      buttons={
        <CsvImport
          title="Import Staff"
          columns={IMPORT_COLUMNS}
          readRow={readStaff}
          importRows={importStaff.mutateAsync}
        />
      }
      addLabel="Add Staff"
      onAdd={() => open('new')}
      searchLabel="Search staff"
      q={q}
      onChange={onChange}
      filters={
        <FilterSelect
          label="Status"
          all="All statuses"
          options={STATUS_OPTIONS}
          value={status}
          onChange={(value) => onChange({ status: value, page: undefined })}
        />
      }
    >
      <PagedTable
        query={query}
        loading="Loading staff..."
        empty="No staff members found"
        dense
        room={58}
        label="Staff"
        columns={columns}
        rowId={({ id }) => id}
        page={page}
        sort={sort}
        totals={totals}
        onChange={onChange}
      />
      {entry && (
        <EntryDialog
          title={changed ? 'Edit Staff' : 'Add Staff'}
          schema={staffSchema}
          defaultValues={changed ? formOf(changed) : emptyForm()}
          latest={changed && formOf(latestOf(changed, query.data?.rows))}
          submitLabel={changed ? 'Save Changes' : 'Add Staff'}
          failure={changed ? 'Failed to update staff member' : 'Failed to add staff member'}
          save={(form) => save.mutateAsync({ id: changed?.id, form })}
          success={`Staff member ${changed ? 'updated' : 'added'} successfully`}
          onClose={close}
        >
          {(form) => (
            <>
              <StaffFields {...form} />
              {changed && <SalaryHistory id={changed.id} />}
            </>
          )}
        </EntryDialog>
      )}
      {deleting && <DeleteStaffDialog person={deleting} onClose={stopAsking} />}
    </ListScreen>
  );
}
