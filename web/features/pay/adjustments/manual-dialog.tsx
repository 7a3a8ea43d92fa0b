import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { PickerField } from '#web/components/form/picker-field.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { useStaff } from '#web/lib/data/lookups.ts';
import { today } from '#web/lib/format/dates.ts';
import { findPeriod, stepPeriod } from '#web/lib/format/pay-periods.ts';
import { useAddAdjustment } from './api.ts';
import { type ManualForm, manualSchema } from './schema.ts';

/** About the last month, which is mostly the one that was paid wrongly. */
function newAdjustment(): ManualForm {
  const { start, end } = findPeriod('monthly', stepPeriod('monthly', today(), -1));
  return {
    staff_id: '',
    period_start: start,
    period_end: end,
    amount: '',
    currency: 'USD',
    explanation: '',
  };
}

export function ManualDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useAddAdjustment();
  return (
    <EntryDialog
      title="Add Adjustment"
      description="An amount that a person gets more, or less, than was paid. Someone else decides it; the next pay run pays it."
      schema={manualSchema}
      defaultValues={newAdjustment()}
      submitLabel="Add Adjustment"
      success="Adjustment added"
      failure="Adjustment not added"
      save={mutateAsync}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            <PickerField
              control={form.control}
              name="staff_id"
              storesId
              className="col-span-full"
              label="Staff Member"
              searchLabel="Search staff"
              placeholder="Choose a staff member"
              useChoices={useStaff}
            />
            {field.amount('amount', 'Amount', { hint: 'With a minus sign for less, as -12.50.' })}
            {field.currency('currency', 'Currency')}
            {field.day('period_start', 'First Day')}
            {field.day('period_end', 'Last Day')}
            {field.notes('explanation', 'Explanation', {
              optional: false,
              hint: 'The person reads it on the payslip.',
            })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}
