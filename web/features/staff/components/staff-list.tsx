// Staff Management: search, filter, pages, and the dialogs.
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { formatCount } from '#shared/count.ts';
import { formatDollars } from '#shared/money.ts';
import { FilterSelect } from '#web/components/list/filter-select.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import type { Totals } from '#web/components/list/totals.tsx';
import { CsvImport } from '#web/components/records/csv-import.tsx';
import { EntryDialog } from '#web/components/records/entry-dialog.tsx';
import { ExportButton } from '#web/components/records/export-button.tsx';
import { ScreenHeading } from '#web/components/records/screen-heading.tsx';
import { latestOf, useBoard } from '#web/components/records/use-board.ts';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { exportStaff } from '../api/export-staff.ts';
import { useImportStaff } from '../api/import-staff.ts';
import { useStaff } from '../api/list-staff.ts';
import { useSaveStaff } from '../api/save-staff.ts';
import { useStaffTotals } from '../api/staff-totals.ts';
import { IMPORT_COLUMNS, readStaff } from '../import.ts';
import { FREQUENCY_LABELS, STATUS_LABELS } from '../labels.ts';
import {
  emptyForm,
  formOf,
  STATUSES,
  type StaffRow,
  type StaffSearch,
  staffSchema,
} from '../schema.ts';
import { SalaryHistory } from './salary-history.tsx';
import { staffColumns } from './staff-columns.tsx';
import { StaffDeletion } from './staff-deletion.tsx';
import { StaffFields } from './staff-fields.tsx';

const STATUS_OPTIONS = STATUSES.map((status) => [status, STATUS_LABELS[status]] as const);

/** What stands at the foot of the table; nothing while it is not known. */
function useTotals(filters: Pick<StaffSearch, 'q' | 'status'>): Totals | undefined {
  const { data } = useStaffTotals(filters);
  if (!data) return undefined;
  const people = data.reduce((sum, row) => sum + row.people, 0);
  return {
    label: `Total of ${formatCount(people)}`,
    sums: {
      salary: data.map((row) => (
        <span key={row.payment_frequency} className="block">
          {formatDollars(row.salaries)}
        </span>
      )),
      frequency: data.map((row) => (
        <span key={row.payment_frequency} className="block">
          {FREQUENCY_LABELS[row.payment_frequency]}
        </span>
      )),
    },
  };
}

type StaffListProps = { search: StaffSearch; onChange: ChangeSearch<StaffSearch> };

export function StaffList({ search, onChange }: StaffListProps) {
  const { q = '', status, sort, page = 1 } = search;
  const query = useStaff({ q, status, sort, page });
  const totals = useTotals({ q, status });
  const { entry, open, close, deleting, ask, stopAsking } = useBoard<StaffRow>();
  const columns = useMemo(() => staffColumns({ onEdit: open, onDelete: ask }), [open, ask]);
  const save = useSaveStaff();
  const importStaff = useImportStaff();
  const changed = entry === 'new' ? undefined : entry;
  return (
    <>
      <ScreenHeading title="Staff Management">
        <ExportButton exportRecords={() => exportStaff({ q, status, sort })} />
        <CsvImport
          title="Import Staff"
          columns={IMPORT_COLUMNS}
          readRow={readStaff}
          importRows={importStaff.mutateAsync}
        />
        <Button onClick={() => open('new')}>
          <Plus aria-hidden="true" className="size-4.5" />
          Add Staff
        </Button>
      </ScreenHeading>
      <ListToolbar
        searchLabel="Search staff"
        search={q}
        onSearch={(text) => onChange({ q: text || undefined, page: undefined })}
      >
        <FilterSelect
          label="Status"
          all="All statuses"
          options={STATUS_OPTIONS}
          value={status}
          onChange={(value) => onChange({ status: value, page: undefined })}
        />
      </ListToolbar>
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
      {deleting && <StaffDeletion person={deleting} onClose={stopAsking} />}
    </>
  );
}
