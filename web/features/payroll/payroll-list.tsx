import { useMemo, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { formatDollars } from '#shared/money.ts';
import { DeleteDialog } from '#web/components/form/delete-dialog.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { latestOf, useRowDialogs } from '#web/components/form/use-row-dialogs.ts';
import { FilterSelect } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import type { Totals } from '#web/components/list/totals.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { codeOf } from '#web/lib/errors/error-message.ts';
import { formatPayPeriod } from '#web/lib/format/dates.ts';
import { PAYROLL_STATUSES, STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { exportPayroll, payroll, usePayroll, usePayrollSums, usePeriods } from './api.ts';
import { DraftButton } from './draft-dialog.tsx';
import { payrollColumns } from './payroll-columns.tsx';
import { OVERLAP_FIELD, PayrollFields } from './payroll-form.tsx';
import { PayrollTotals } from './payroll-totals.tsx';
import { PayslipDialog } from './payslip-dialog.tsx';
import { PayslipsButton } from './payslips-button.tsx';
import { RatesButton } from './rates-dialog.tsx';
import { emptyForm, formOf, type PayrollRow, type PayrollSearch, payrollSchema } from './schema.ts';

/** SQLSTATE exclusion_violation: the person already has a record for part of the period. */
const OVERLAPS = '23P01';

const STATUS_OPTIONS = PAYROLL_STATUSES.map((status) => [status, STATUS_LABELS[status]] as const);

function usePeriodOptions() {
  const { data = [] } = usePeriods();
  return data.map(
    ({ period_start, period_end }) =>
      [`${period_start} ${period_end}`, formatPayPeriod(period_start, period_end)] as const,
  );
}

/** The footer of the table. */
function useTotals(filters: Pick<PayrollSearch, 'q' | 'status' | 'period'>): Totals | undefined {
  const { data } = usePayrollSums(filters);
  return (
    data && {
      label: `Total of ${formatCount(data.records)}${data.cancelled > 0 ? `, without ${formatCount(data.cancelled)} cancelled` : ''}`,
      sums: {
        'Base Amount': formatDollars(data.base),
        Deductions: formatDollars(data.deductions),
        Bonuses: formatDollars(data.bonuses),
        'Net Amount': formatDollars(data.net),
      },
    }
  );
}

type PayrollListProps = { search: PayrollSearch; onChange: ChangeSearch<PayrollSearch> };

export function PayrollList({ search, onChange }: PayrollListProps) {
  const { q = '', status, period, sort, page = 1 } = search;
  const query = usePayroll({ q, status, period, sort, page });
  const totals = useTotals({ q, status, period });
  const periodOptions = usePeriodOptions();
  const { entry, open, close, deleting, ask, stopAsking } = useRowDialogs<PayrollRow>();
  const [payslip, setPayslip] = useState<PayrollRow>();
  const columns = useMemo(
    () => payrollColumns({ onEdit: open, onDelete: ask, onPayslip: setPayslip }),
    [open, ask],
  );
  const save = payroll.useSave();
  const remove = payroll.useDelete();
  const restore = payroll.useRestore();
  const changed = entry === 'new' ? undefined : entry;
  return (
    <ListScreen
      title="Payroll Management"
      exportRecords={() => exportPayroll({ q, status, period, sort })}
      buttons={
        <>
          <PayslipsButton
            filters={{ q, status, period }}
            total={query.data?.total}
            isCounting={query.isPending || query.isPlaceholderData}
            periods={periodOptions}
            onPeriod={(value) => onChange({ period: value, page: undefined })}
          />
          <RatesButton />
          <DraftButton />
        </>
      }
      addLabel="Add Payroll"
      onAdd={() => open('new')}
      summary={<PayrollTotals />}
      searchLabel="Search payroll"
      q={q}
      onChange={onChange}
      filters={
        <>
          <FilterSelect
            label="Period"
            all="All periods"
            options={periodOptions}
            value={period}
            onChange={(value) => onChange({ period: value, page: undefined })}
          />
          <FilterSelect
            label="Status"
            all="All statuses"
            options={STATUS_OPTIONS}
            value={status}
            onChange={(value) => onChange({ status: value, page: undefined })}
          />
        </>
      }
    >
      <PagedTable
        query={query}
        loading="Loading payroll..."
        empty="No payroll records found"
        dense
        room={59}
        label="Payroll"
        columns={columns}
        rowId={({ id }) => id}
        page={page}
        sort={sort}
        totals={totals}
        onChange={onChange}
      />
      {entry && (
        <EntryDialog
          title={changed ? 'Edit Payroll' : 'Add Payroll'}
          schema={payrollSchema}
          defaultValues={changed ? formOf(changed) : emptyForm}
          latest={changed && formOf(latestOf(changed, query.data?.rows))}
          submitLabel={changed ? 'Save Changes' : 'Add Payroll'}
          failure={changed ? 'Failed to update payroll record' : 'Failed to add payroll record'}
          fieldOf={(error) => (codeOf(error) === OVERLAPS ? OVERLAP_FIELD : undefined)}
          save={(form) => save.mutateAsync({ id: changed?.id, form })}
          success={`Payroll record ${changed ? 'updated' : 'added'} successfully`}
          onClose={close}
        >
          {(form) => <PayrollFields {...form} changed={changed} />}
        </EntryDialog>
      )}
      {deleting && (
        <DeleteDialog
          title="Delete Payroll Record"
          question="Are you sure you want to delete this payroll record?"
          consequence={`The record of ${deleting.staff.full_name} for this period and their payslip will be deleted.`}
          failure="Failed to delete payroll record"
          remove={() => remove.mutateAsync(deleting.id)}
          deleted="Payroll record deleted successfully"
          undo={{ restore: restore.mutateAsync, restored: 'Payroll record restored' }}
          onClose={stopAsking}
        />
      )}
      {payslip && <PayslipDialog row={payslip} onClose={() => setPayslip(undefined)} />}
    </ListScreen>
  );
}
