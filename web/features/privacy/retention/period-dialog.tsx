import { useRef, useState } from 'react';
import { z } from 'zod';
import { formatCount } from '#shared/count.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { parseWholeNumber, wholeNumberField } from '#web/lib/form-fields/whole-number-field.ts';
import { periodText, RETENTION_KINDS } from '#web/lib/vocabulary/retention.ts';
import { fetchLoss, type RetentionRow, useSaveDays } from './api.ts';

type PeriodDialogProps = { row: RetentionRow; onClose: () => void };

/** Changes how long a kind of record is kept. A shorter period is asked about first. */
export function PeriodDialog({ row, onClose }: PeriodDialogProps) {
  const { id, kind, min_days, max_days } = row;
  const { mutateAsync } = useSaveDays();
  const [entry, setEntry] = useState(String(row.days));
  const [asked, setAsked] = useState<{ days: number; loss: number }>();
  const isSaved = useRef(false);
  const words = RETENTION_KINDS[kind];
  const label = words?.label ?? kind;
  async function save(days: number) {
    await mutateAsync({ id, days });
    isSaved.current = true;
    showSuccess('Period changed', `${label}: ${periodText(days)}.`);
  }
  if (asked !== undefined) {
    return (
      <ConfirmDialog
        title="Shorten the Period"
        question={`Keep ${label.toLowerCase()} for ${periodText(asked.days)} instead of ${periodText(row.days)}?`}
        confirmLabel="Shorten Period"
        busyLabel="Saving..."
        onConfirm={() => save(asked.days)}
        onClose={() => {
          if (isSaved.current) onClose();
          else setAsked(undefined);
        }}
      >
        {asked.loss === 0
          ? 'No records will be deleted tonight.'
          : `${formatCount(asked.loss)} ${asked.loss === 1 ? 'record' : 'records'} will be deleted tonight.`}{' '}
        At the end of the period: {words?.end} A longer period later does not bring them back.
      </ConfirmDialog>
    );
  }
  const schema = z.object({
    days: wholeNumberField({
      name: 'Days',
      required: 'Days are required',
      minimum: min_days,
      maximum: max_days,
    }),
  });
  return (
    <Dialog open onOpenChange={onClose} title={label} description={words?.end ?? ''}>
      <RecordForm
        schema={schema}
        defaultValues={{ days: entry }}
        submitLabel="Save Changes"
        save={async (form) => {
          const days = parseWholeNumber(form.days);
          setEntry(form.days);
          if (days < row.days) setAsked({ days, loss: await fetchLoss(kind, days) });
          else await save(days);
        }}
        onSaved={() => {
          if (isSaved.current) onClose();
        }}
        onCancel={onClose}
      >
        {(form) => (
          <FieldGrid>
            {createFields(form).text('days', 'Days', {
              inputMode: 'numeric',
              wide: true,
              hint: `From ${periodText(min_days)} to ${periodText(max_days)} (${formatCount(max_days)} days). By default ${periodText(row.default_days)}.`,
            })}
          </FieldGrid>
        )}
      </RecordForm>
    </Dialog>
  );
}
