import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { STAFF_STATUS } from '#shared/database.values.ts';
import { formatMoney } from '#shared/money.ts';
import { formatPhone } from '#shared/phone.ts';
import { mayManagePeople } from '#shared/screens.ts';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { FileImport } from '#web/components/list/file-import.tsx';
import { choice } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import type { Totals } from '#web/components/list/totals.tsx';
import { EmailText } from '#web/components/text/email-text.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { checkDuplicates } from '#web/lib/data/staff-duplicates.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { formatBasis } from '#web/lib/format/pay-basis.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { PAY_FREQUENCY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { staff, staffList, useImportStaff, usePayrollCount, useStaffTotals } from './api.ts';
import { IMPORT_COLUMNS, readStaff } from './import.ts';
import type { Staff, StaffRow } from './schema.ts';
import type { StaffSearch } from './search.ts';
import { staffActions } from './staff-actions.ts';
import { SalaryHistory, StaffFields } from './staff-form.tsx';
import { WithoutPay } from './without-pay.tsx';

const staffColumns: Column<StaffRow>[] = [
  {
    header: 'Name',
    card: 'title',
    className: 'font-semibold',
    sort: 'name',
    cell: (row) => <PersonLink id={row.user_id ?? row.id} name={row.full_name} />,
  },
  {
    header: 'Email',
    className: 'max-w-48 break-words',
    cell: (row) => (row.email === null ? '-' : <EmailText address={row.email} />),
  },
  {
    header: 'Phone',
    className: 'whitespace-nowrap',
    cell: (row) => (row.phone ? formatPhone(row.phone) : '-'),
  },
  { header: 'Role', cell: (row) => ROLE_LABELS[row.role] },
  {
    header: 'Hire Date',
    className: 'whitespace-nowrap',
    sort: 'hired',
    cell: (row) => formatDay(row.hire_date),
  },
  {
    header: 'Salary',
    className: AMOUNT,
    sort: 'salary',
    cell: (row) => formatBasis({ ...row, amount: row.salary_amount, basis: row.pay_basis }),
  },
  { header: 'Frequency', cell: (row) => PAY_FREQUENCY_LABELS[row.payment_frequency] },
  { header: 'Status', card: 'aside', cell: (row) => <StatusBadge status={row.status} /> },
];

const nameOf = (row: StaffRow) => row.full_name;

const FILTERS = [
  choice('status', 'Status', 'All statuses', toOptions(STAFF_STATUS, STATUS_LABELS)),
];

/** The footer of the table: one line per currency and payment frequency. */
function useTotals(filters: Pick<StaffSearch, 'q' | 'status'>): Totals | undefined {
  const { data } = useStaffTotals(filters);
  if (!data) return undefined;
  const people = data.reduce((sum, row) => sum + row.people, 0);
  return {
    label: `Total of ${formatCount(people)}`,
    sums: {
      Salary: data.map((row) => (
        <span key={`${row.currency} ${row.payment_frequency}`} className="block">
          {formatMoney(row.salaries, row.currency)}
        </span>
      )),
      Frequency: data.map((row) => (
        <span key={`${row.currency} ${row.payment_frequency}`} className="block">
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
  return (
    <DeleteRecordDialog
      records={staff}
      id={person.id}
      consequence={`The record of ${person.full_name} will be deleted. Their user account is kept.`}
      obstacle={obstacleOf(person.full_name, records)}
      failure="Failed to delete staff member"
      onClose={onClose}
    />
  );
}

type StaffListProps = { search: StaffSearch; onChange: ChangeSearch<StaffSearch> };

export function StaffList({ search, onChange }: StaffListProps) {
  const { q = '', status } = search;
  const { roles } = useAuth();
  const totals = useTotals({ q, status });
  const importStaff = useImportStaff();
  const [deleting, setDeleting] = useState<StaffRow>();
  return (
    <ListScreen
      {...staffList.useScreen(search, onChange)}
      title="Staff Management"
      buttons={
        <FileImport
          title="Import Staff"
          records="Staff"
          columns={IMPORT_COLUMNS}
          readRow={readStaff}
          checkRows={checkDuplicates}
          importRows={(rows, numbers) => importStaff.mutateAsync({ rows, numbers })}
        />
      }
      addLabel="Add Staff"
      notice={<WithoutPay />}
      filters={FILTERS}
      noMatch="No staff members found"
      dense
      room={58}
      Table={TableRows}
      columns={staffColumns}
      actions={{ nameOf, onDelete: setDeleting }}
      bulk={staffActions}
      totals={totals}
      dialog={(opened) => (
        <RecordDialog
          {...opened}
          records={staff}
          addTitle="Add Staff"
          editTitle="Edit Staff"
          added="Staff member added successfully"
          failedToAdd="Failed to add staff member"
          failedToUpdate="Failed to update staff member"
        >
          {(form, changed) => (
            <>
              {!changed && mayManagePeople(roles) && (
                <p className="-mt-3 text-sm text-muted">
                  With an account?{' '}
                  <Link to="/admin/people/new" className={buttonStyles({ variant: 'link' })}>
                    Hire in one form
                  </Link>
                </p>
              )}
              <StaffFields form={form} changed={changed} />
              {changed && <SalaryHistory id={changed.id} />}
            </>
          )}
        </RecordDialog>
      )}
    >
      {deleting && <DeleteStaffDialog person={deleting} onClose={() => setDeleting(undefined)} />}
    </ListScreen>
  );
}
