import { useCallback, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { PAYROLL_PAYMENT_STATUS } from '#shared/database.values.ts';
import { formatMoney } from '#shared/money.ts';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { choice, searchedChoice } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import type { Totals } from '#web/components/list/totals.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { readErrorCode } from '#web/lib/errors/error-message.ts';
import { formatPayPeriod } from '#web/lib/format/dates.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { AllPayslipsButton } from './all-payslips-button.tsx';
import { payroll, payrollList, usePayrollSums, usePeriods } from './api.ts';
import { DraftButton } from './draft-dialog.tsx';
import { payrollActions } from './payroll-actions.ts';
import { PayslipButton, payrollColumns, payrollName } from './payroll-columns.tsx';
import { OVERLAP_FIELD, PayrollFields } from './payroll-form.tsx';
import { PayrollTotals } from './payroll-totals.tsx';
import { PayslipDialog } from './payslip-dialog.tsx';
import { RatesDialog } from './rates-dialog.tsx';
import type { PayrollRow } from './schema.ts';
import type { PayrollSearch } from './search.ts';

/** SQLSTATE exclusion_violation: the person already has a record for part of the period. */
const OVERLAPS = '23P01';

const STATUS = choice(
  'status',
  'Status',
  'All statuses',
  toOptions(PAYROLL_PAYMENT_STATUS, STATUS_LABELS),
);

function usePeriodOptions() {
  const { data = [] } = usePeriods();
  const labels = new Map(
    data.map(({ period_start, period_end }) => [
      `${period_start} ${period_end}`,
      formatPayPeriod(period_start, period_end),
    ]),
  );
  // By their first day, newest first, whatever the currency.
  return [...labels].sort(([a], [b]) => (a < b ? 1 : -1));
}

/** The footer of the table, with a line for each currency. */
function useTotals(filters: Pick<PayrollSearch, 'q' | 'status' | 'period'>): Totals | undefined {
  const { data } = usePayrollSums(filters);
  if (!data) return undefined;
  const count = (key: 'records' | 'cancelled') => data.reduce((sum, one) => sum + one[key], 0);
  const cancelled = count('cancelled');
  const money = (key: 'base' | 'deductions' | 'bonuses' | 'net') =>
    data.length === 0
      ? formatMoney('0', 'USD')
      : data.map((sums) => (
          <span key={sums.currency} className="block">
            {formatMoney(sums[key], sums.currency)}
          </span>
        ));
  return {
    label: `Total of ${formatCount(count('records'))}${cancelled > 0 ? `, without ${formatCount(cancelled)} cancelled` : ''}`,
    sums: {
      'Base Amount': money('base'),
      Deductions: money('deductions'),
      Bonuses: money('bonuses'),
      'Net Amount': money('net'),
    },
  };
}

type PayrollListProps = { search: PayrollSearch; onChange: ChangeSearch<PayrollSearch> };

export function PayrollList({ search, onChange }: PayrollListProps) {
  const { q = '', status, period } = search;
  const filters = { q, status, period };
  const list = payrollList.useScreen(search, onChange);
  const totals = useTotals(filters);
  const periods = usePeriodOptions();
  const [deleting, setDeleting] = useState<PayrollRow>();
  const [payslip, setPayslip] = useState<PayrollRow>();
  const more = useCallback(
    (row: PayrollRow) => <PayslipButton row={row} onPress={setPayslip} />,
    [],
  );
  return (
    <ListScreen
      {...list}
      title="Payroll Management"
      buttons={<DraftButton />}
      addLabel="Add Payroll"
      summary={<PayrollTotals />}
      summaryLabel="Pay by month"
      filters={[searchedChoice('period', 'Period', 'All periods', periods), STATUS]}
      toolbar={
        <>
          <AllPayslipsButton
            filters={filters}
            total={list.query.data?.total}
            isCounting={list.query.isPending || list.query.isPlaceholderData}
            periods={periods}
            onPeriod={(value) => onChange({ period: value, page: undefined })}
          />
          <Button variant="secondary" onClick={() => onChange({ dialog: 'rates' })}>
            Pay Rates
          </Button>
        </>
      }
      noMatch="No payroll records found"
      dense
      room={59}
      Table={TableRows}
      columns={payrollColumns}
      actions={{ nameOf: payrollName, onDelete: setDeleting, more }}
      bulk={payrollActions}
      totals={totals}
      dialog={(opened) => (
        <RecordDialog
          {...opened}
          records={payroll}
          addTitle="Add Payroll"
          editTitle="Edit Payroll"
          added="Payroll record added successfully"
          failedToAdd="Failed to add payroll record"
          failedToUpdate="Failed to update payroll record"
          fieldOf={(error) => (readErrorCode(error) === OVERLAPS ? OVERLAP_FIELD : undefined)}
        >
          {(form, changed) => <PayrollFields form={form} changed={changed} />}
        </RecordDialog>
      )}
    >
      {deleting && (
        <DeleteRecordDialog
          records={payroll}
          id={deleting.id}
          consequence={`The record of ${deleting.staff.full_name} for this period and their payslip will be deleted.`}
          failure="Failed to delete payroll record"
          onClose={() => setDeleting(undefined)}
        />
      )}
      {search.dialog === 'rates' && <RatesDialog onClose={() => onChange({ dialog: undefined })} />}
      {payslip && <PayslipDialog id={payslip.id} onClose={() => setPayslip(undefined)} />}
    </ListScreen>
  );
}
