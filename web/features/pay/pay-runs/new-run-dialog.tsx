import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { PAY_BASES_CURRENCY, STAFF_PAYMENT_FREQUENCY } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatPayPeriod, today } from '#web/lib/format/dates.ts';
import { type Frequency, findPeriod, stepPeriod } from '#web/lib/format/pay-periods.ts';
import { PAY_FREQUENCY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { useAddRun } from './api.ts';
import { type NewRun, newRunSchema } from './schema.ts';

/** Periods before the one of today that a run can be begun for. */
const PERIODS_BACK = 6;

/** The period of today and those before it, newest first. */
function periodsOf(frequency: Frequency): [first: string, label: string][] {
  let day = findPeriod(frequency, today()).start;
  return Array.from({ length: PERIODS_BACK + 1 }, () => {
    const { start, end } = findPeriod(frequency, day);
    day = stepPeriod(frequency, day, -1);
    return [start, formatPayPeriod(start, end)];
  });
}

/** The last period that is over, for which most runs are begun. */
const lastPeriod = (frequency: Frequency) => stepPeriod(frequency, today(), -1);

function RunFields({ form }: { form: UseFormReturn<NewRun> }) {
  const field = createFields(form);
  const { setValue } = form;
  const group = form.watch('pay_group');
  const period = form.watch('period');
  const periods = periodsOf(group);
  // Another length of period has other first days.
  const isListed = periods.some(([first]) => first === period);
  useEffect(() => {
    if (!isListed) setValue('period', lastPeriod(group));
  }, [isListed, group, setValue]);
  return (
    <FieldGrid>
      {field.select(
        'pay_group',
        'Pay Group',
        toOptions(STAFF_PAYMENT_FREQUENCY, PAY_FREQUENCY_LABELS),
      )}
      {field.select(
        'currency',
        'Currency',
        PAY_BASES_CURRENCY.map((code) => [code, code]),
      )}
      {field.select('period', 'Period', periods)}
    </FieldGrid>
  );
}

type NewRunDialogProps = { onAdded: (id: string) => void; onClose: () => void };

export function NewRunDialog({ onAdded, onClose }: NewRunDialogProps) {
  const { mutateAsync } = useAddRun();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="New Pay Run"
      description="A draft. Nobody is paid, and nobody sees it, before it is calculated, approved and locked."
    >
      <RecordForm
        schema={newRunSchema}
        defaultValues={{ pay_group: 'monthly', currency: 'USD', period: lastPeriod('monthly') }}
        submitLabel="Begin Pay Run"
        savingLabel="Beginning..."
        failure="Pay run not started"
        save={mutateAsync}
        onSaved={(id) => {
          showSuccess('Pay run begun');
          onAdded(id);
        }}
        onCancel={onClose}
      >
        {(form) => <RunFields form={form} />}
      </RecordForm>
    </Dialog>
  );
}
