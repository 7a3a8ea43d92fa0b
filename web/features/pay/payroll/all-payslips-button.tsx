import { useState } from 'react';
import {
  countPayslips,
  PayslipsButton,
  usePayslipsFile,
} from '#web/components/payslip/payslips-button.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { OptionSelect } from '#web/components/ui/option-select.tsx';
import { fetchPayslips, type PayrollFilters } from './api.ts';

type AllPayslipsButtonProps = {
  filters: PayrollFilters;
  /** Number of records that match the filters; undefined if it could not be loaded. */
  total: number | undefined;
  isCounting: boolean;
  periods: readonly (readonly [value: string, label: string])[];
  /** Sets the period filter of the list. */
  onPeriod: (period: string | undefined) => void;
};

/** Makes one PDF of the filtered list. Without a period filter it could be years of payslips, so it asks first. */
export function AllPayslipsButton(props: AllPayslipsButtonProps) {
  const { filters, total, isCounting, periods, onPeriod } = props;
  const [isAsking, setAsking] = useState(false);
  const file = usePayslipsFile((signal) => fetchPayslips(filters, signal));
  const label = total === undefined ? 'Make Payslips' : `Make ${countPayslips(total)}`;
  return (
    <>
      <PayslipsButton
        file={file}
        {...(filters.period === undefined && { onPress: () => setAsking(true) })}
      />
      {isAsking && (
        <Dialog
          open
          onOpenChange={setAsking}
          title="Payslips PDF"
          description="One page for each record in the list. Choose a period to make fewer."
        >
          <div className="grid gap-6">
            <Field label="Period">
              {(control) => (
                <OptionSelect
                  {...control}
                  isSearched
                  options={periods}
                  empty="All periods"
                  searchLabel="Search periods"
                  value={filters.period ?? ''}
                  onChange={(period) => onPeriod(period || undefined)}
                />
              )}
            </Field>
            <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
              <Button variant="secondary" onClick={() => setAsking(false)}>
                Cancel
              </Button>
              <Button
                busy={isCounting}
                disabled={total === 0}
                onClick={() => {
                  setAsking(false);
                  file.make();
                }}
              >
                {isCounting ? 'Counting...' : label}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
