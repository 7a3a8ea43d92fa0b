import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { SERVICE_CALLS_OUTCOME } from '#shared/database.values.ts';
import { createFields } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { choiceField, textField } from '#web/lib/form-fields/text-field.ts';
import { CALL_KIND_LABELS, CALL_OUTCOME_LABELS } from '#web/lib/vocabulary/dispatch.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { type Call, placeOf, useCancelCall, useCloseCall } from './dispatch-api.ts';

type EndProps = { call: Call; onClose: () => void };

const titleOf = (call: Call) => `${CALL_KIND_LABELS[call.kind]}, ${placeOf(call)}`;

const closeSchema = z.object({
  outcome: choiceField(SERVICE_CALLS_OUTCOME, 'Choose the outcome'),
  note: textField('Note', limits.UNIT_EVENTS_NOTE_MAX),
});

export function CloseCallDialog({ call, onClose }: EndProps) {
  const close = useCloseCall();
  return (
    <EntryDialog
      title="Close Call"
      description={titleOf(call)}
      schema={closeSchema}
      defaultValues={{ outcome: '', note: '' }}
      submitLabel="Close Call"
      success="Call closed"
      failure="The call was not closed"
      save={(form) => close.mutateAsync({ id: call.id, ...form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <div className="grid gap-5">
            {field.select(
              'outcome',
              'Outcome',
              toOptions(SERVICE_CALLS_OUTCOME, CALL_OUTCOME_LABELS),
              {
                empty: 'Choose the outcome',
              },
            )}
            {field.notes('note', 'Note')}
          </div>
        );
      }}
    </EntryDialog>
  );
}

const cancelSchema = z.object({
  note: textField('Reason', limits.UNIT_EVENTS_NOTE_MAX).min(1, 'Write why'),
});

export function CancelCallDialog({ call, onClose }: EndProps) {
  const cancel = useCancelCall();
  return (
    <EntryDialog
      title="Cancel Call"
      description={`${titleOf(call)}. Its units are told to stand down.`}
      schema={cancelSchema}
      defaultValues={{ note: '' }}
      submitLabel="Cancel Call"
      submitVariant="danger"
      cancelLabel="Keep Call"
      success="Call cancelled"
      failure="The call was not cancelled"
      save={({ note }) => cancel.mutateAsync({ id: call.id, note })}
      onClose={onClose}
    >
      {(form) => createFields(form).notes('note', 'Reason', { optional: false, rows: 2 })}
    </EntryDialog>
  );
}
