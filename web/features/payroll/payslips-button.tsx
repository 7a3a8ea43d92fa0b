import { useMutation } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { OptionSelect } from '#web/components/ui/option-select.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { download } from '#web/lib/files/download.ts';
import { type PayrollFilters, payrollList } from './api.ts';

type PayslipsButtonProps = {
  filters: PayrollFilters;
  /** Number of records that match the filters; undefined if it could not be loaded. */
  total: number | undefined;
  isCounting: boolean;
  periods: readonly (readonly [value: string, label: string])[];
  /** Sets the period filter of the list. */
  onPeriod: (period: string | undefined) => void;
};

const counted = (count: number) => `${formatCount(count)} ${count === 1 ? 'payslip' : 'payslips'}`;

/** Makes one PDF of the filtered list. Without a period filter it could be years of payslips, so it asks first. */
export function PayslipsButton(props: PayslipsButtonProps) {
  const { filters, total, isCounting, periods, onPeriod } = props;
  const [progress, setProgress] = useState('');
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      setProgress('Loading...');
      const [rows, { payslipsPdf }] = await Promise.all([
        payrollList.fetchAll(filters),
        import('./payslip-pdf.ts'),
      ]);
      if (rows.length === 0) throw new Error('No payroll records found');
      const file = await payslipsPdf(rows, (done) =>
        setProgress(`${formatCount(done)} of ${formatCount(rows.length)}`),
      );
      download('payslips.pdf', file);
      return rows.length;
    },
    onSuccess: (count) => showSuccess(`${counted(count)} ready`),
    onError: (error) => showError('Error', messageOf(error)),
  });
  const label = total === undefined ? 'Make Payslips' : `Make ${counted(total)}`;
  return (
    <>
      <Button
        variant="secondary"
        busy={isPending}
        onClick={() => (filters.period === undefined ? setAsking(true) : mutate())}
      >
        {!isPending && <FileText aria-hidden="true" className="size-4.5" />}
        {isPending ? progress : 'Payslips PDF'}
      </Button>
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
                  mutate();
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
