// Drafts a period: one pending record for each active member of staff.
import { endOfMonth, format, parseISO, startOfMonth } from 'date-fns';
import { useState } from 'react';
import { z } from 'zod';
import { RecordForm } from '#web/components/records/record-form.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { today } from '#web/lib/format.ts';
import { dayField, isInOrder } from '#web/lib/text-field.ts';
import { useDraftPayroll } from '../api/draft-payroll.ts';

const draftSchema = z
  .object({
    period_start: dayField('Period start is required'),
    period_end: dayField('Period end is required'),
  })
  .refine(({ period_start, period_end }) => isInOrder(period_start, period_end), {
    error: 'Period end must be after period start',
    path: ['period_end'],
  });

function thisMonth() {
  const day = parseISO(today());
  return {
    period_start: format(startOfMonth(day), 'yyyy-MM-dd'),
    period_end: format(endOfMonth(day), 'yyyy-MM-dd'),
  };
}

/** @returns for example "519 records drafted; 1 person had one already" */
function outcome(added: number, skipped: number): string {
  const drafted = `${added} ${added === 1 ? 'record' : 'records'} drafted`;
  if (skipped === 0) return drafted;
  return `${drafted}; ${skipped} ${skipped === 1 ? 'person' : 'people'} had one already`;
}

export function DraftButton() {
  const [isOpen, setOpen] = useState(false);
  const draft = useDraftPayroll();
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Draft Payroll
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={close}
        title="Draft Payroll for a Period"
        description="Makes one pending record for each active member of staff who has none of this period, with the suggested deductions. Nobody is paid by it."
      >
        <RecordForm
          schema={draftSchema}
          defaultValues={thisMonth()}
          submitLabel="Draft Payroll"
          savingLabel="Drafting..."
          failure="Failed to add payroll record"
          save={async (form) => {
            const { added, skipped } = await draft.mutateAsync(form);
            showSuccess(outcome(added, skipped));
          }}
          onSaved={close}
          onCancel={close}
        >
          {({ register, formState: { errors } }) => (
            <div className="grid gap-5 sm:grid-cols-2">
              <Field label="Period Start" error={errors.period_start?.message}>
                {(control) => <Input {...control} {...register('period_start')} type="date" />}
              </Field>
              <Field label="Period End" error={errors.period_end?.message}>
                {(control) => <Input {...control} {...register('period_end')} type="date" />}
              </Field>
            </div>
          )}
        </RecordForm>
      </Dialog>
    </>
  );
}
