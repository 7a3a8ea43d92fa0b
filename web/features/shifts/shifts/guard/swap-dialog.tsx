import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/input.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { formatTimeRange, formatWeekday } from '#web/lib/format/dates.ts';
import type { GuardShift } from './api.ts';
import { useProposeSwap, useSwapChoices } from './offers-api.ts';

const schema = z.object({
  partnerId: z.string().min(1, 'Choose a colleague'),
  returnId: z.string(),
  note: textField('Message', limits.OFFERS_NOTE_MAX),
});

type SwapDialogProps = { shift: GuardShift; onClose: () => void };

export function SwapDialog({ shift: assigned, onClose }: SwapDialogProps) {
  const { start_time, end_time, site } = assigned.shift;
  const choices = useSwapChoices(assigned.id);
  const propose = useProposeSwap();
  const when = (start: string, end: string) =>
    `${formatWeekday(start, site.timezone).split(',')[0]}, ${formatTimeRange(start, end, site.timezone)}`;
  return (
    <Dialog open onOpenChange={onClose} title="Swap this shift">
      <p className="mb-5 text-pretty">
        <span className="font-semibold">
          {site.name}, {when(start_time, end_time)}.
        </span>{' '}
        It stays yours until your colleague accepts and the swap is approved.
      </p>
      <Loaded query={choices} loadingText="Loading colleagues..." failure="Error">
        {(colleagues) =>
          colleagues.length === 0 ? (
            <EmptyNote>No colleague at this site may take it. Ask the control room.</EmptyNote>
          ) : (
            <RecordForm
              schema={schema}
              defaultValues={{ partnerId: '', returnId: '', note: '' }}
              submitLabel="Send"
              savingLabel="Sending..."
              invalid="Error"
              save={(form) => propose.mutateAsync({ assignmentId: assigned.id, ...form })}
              onSaved={() => {
                showSuccess('Swap Sent', 'You get a notice with the answer.');
                onClose();
              }}
              onCancel={onClose}
            >
              {({ register, setValue, watch, formState: { errors } }) => {
                const chosen = colleagues.find(({ user_id }) => user_id === watch('partnerId'));
                return (
                  <div className="grid gap-5">
                    <Field label="Colleague" error={errors.partnerId?.message}>
                      {(control) => (
                        <Select
                          {...control}
                          {...register('partnerId', { onChange: () => setValue('returnId', '') })}
                        >
                          <option value="">Choose a colleague</option>
                          {colleagues.map(({ user_id, full_name }) => (
                            <option key={user_id} value={user_id}>
                              {full_name}
                            </option>
                          ))}
                        </Select>
                      )}
                    </Field>
                    {chosen && chosen.returns.length > 0 && (
                      <Field label="In return" optional={chosen.may_take}>
                        {(control) => (
                          <Select {...control} {...register('returnId')}>
                            <option value="">
                              {chosen.may_take ? 'Nothing' : 'Choose a shift'}
                            </option>
                            {chosen.returns.map((theirs) => (
                              <option key={theirs.id} value={theirs.id}>
                                {when(theirs.start_time, theirs.end_time)}
                              </option>
                            ))}
                          </Select>
                        )}
                      </Field>
                    )}
                    <Field label="Message" optional error={errors.note?.message}>
                      {(control) => <Textarea {...control} {...register('note')} rows={2} />}
                    </Field>
                  </div>
                );
              }}
            </RecordForm>
          )
        }
      </Loaded>
    </Dialog>
  );
}
