import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { ChoiceButtons } from '#web/components/form/choice-buttons.tsx';
import { createFields } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { ALERT_KIND_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { type Alert, useCloseAlert } from './alert-api.ts';

const OUTCOMES = ['covered', 'excused', 'closed'] as const;

export const OUTCOME_LABELS = {
  covered: 'Covered',
  excused: 'Excused',
  closed: 'Closed',
  arrived: 'Arrived',
  answered: 'Answered',
} as const;

const closingSchema = z.object({
  outcome: z.enum(OUTCOMES),
  note: textField('Note', limits.ALERTS_NOTE_MAX),
});

type Closing = z.infer<typeof closingSchema>;

/** Alerts about a post that needs a guard; the others only end. */
const COVERED: readonly Alert['kind'][] = ['missing', 'empty', 'left_early'];

const startOf = (kind: Alert['kind']): Closing => ({
  outcome: COVERED.includes(kind) ? 'covered' : 'closed',
  note: '',
});

type CloseAlertDialogProps = {
  alert: Alert;
  onClosed: (outcome: (typeof OUTCOMES)[number]) => void;
  onDismiss: () => void;
};

export function CloseAlertDialog({ alert, onClosed, onDismiss }: CloseAlertDialogProps) {
  const close = useCloseAlert();
  const { kind, detail, sites } = alert;
  return (
    <Dialog
      open
      onOpenChange={onDismiss}
      title={`Close: ${ALERT_KIND_LABELS[kind]}`}
      description={detail ? `${sites.name}: ${detail}` : sites.name}
    >
      <RecordForm
        schema={closingSchema}
        defaultValues={startOf(kind)}
        submitLabel="Close Alert"
        failure="The alert was not closed"
        save={async (form) => {
          await close.mutateAsync({ id: alert.id, ...form });
          return form.outcome;
        }}
        onSaved={(outcome) => {
          onDismiss();
          onClosed(outcome);
        }}
        onCancel={onDismiss}
      >
        {(form) => (
          <div className="grid gap-5">
            <ChoiceButtons
              legend="Outcome"
              values={OUTCOMES}
              labels={OUTCOME_LABELS}
              error={form.formState.errors.outcome?.message}
              field={form.register('outcome')}
            />
            {createFields(form).notes('note', 'Note')}
          </div>
        )}
      </RecordForm>
    </Dialog>
  );
}
