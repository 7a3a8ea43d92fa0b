import { useState } from 'react';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { SICK_LEAVE_DAYS_BACK } from '#shared/time-limits.ts';
import { Options } from '#web/components/form/inputs.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input, Textarea } from '#web/components/ui/input.tsx';
import { type Choice, Picker } from '#web/components/ui/picker.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { usePeople } from '#web/lib/data/lookups.ts';
import { LEAVE_TYPE_LABELS, LEAVE_TYPES } from '#web/lib/vocabulary/kinds.ts';
import { useEnterLeave } from './api.ts';
import { earliestStart } from './guard/request-schema.ts';
import { type PhonedRequest, phonedRequestSchema } from './schema.ts';

const EMPTY: PhonedRequest = { person_id: '', type: '', start_date: '', end_date: '', reason: '' };

function RequestFields({ form }: { form: UseFormReturn<PhonedRequest> }) {
  const { register, control: fields, formState, watch } = form;
  const { errors } = formState;
  const [person, setPerson] = useState<Choice>();
  const [type, start] = watch(['type', 'start_date']);
  const earliest = earliestStart(type);
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="For" error={errors.person_id?.message} className="sm:col-span-2">
        {(control) => (
          <Controller
            name="person_id"
            control={fields}
            render={({ field }) => (
              <Picker
                {...control}
                ref={field.ref}
                searchLabel="Search people"
                placeholder="Choose a person"
                value={person}
                onChange={(choice) => {
                  setPerson(choice);
                  field.onChange(choice?.id ?? '');
                }}
                useChoices={usePeople}
              />
            )}
          />
        )}
      </Field>
      <Field label="Leave Type" error={errors.type?.message} className="sm:col-span-2">
        {(control) => (
          <Select {...control} {...register('type')}>
            <option value="">Choose a type</option>
            <Options values={LEAVE_TYPES} labels={LEAVE_TYPE_LABELS} />
          </Select>
        )}
      </Field>
      <Field
        label="Start Date"
        error={errors.start_date?.message}
        hint={type === 'sick' ? `Up to ${SICK_LEAVE_DAYS_BACK} days back` : undefined}
      >
        {(control) => <Input {...control} {...register('start_date')} type="date" min={earliest} />}
      </Field>
      <Field label="End Date" error={errors.end_date?.message} hint="The last day of leave">
        {(control) => (
          <Input {...control} {...register('end_date')} type="date" min={start || earliest} />
        )}
      </Field>
      <Field label="Reason" error={errors.reason?.message} className="sm:col-span-2">
        {(control) => <Textarea {...control} {...register('reason')} rows={3} />}
      </Field>
    </div>
  );
}

/** The leave request of somebody who phones in. */
export function EnterLeaveDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useEnterLeave();
  // Sent again after a lost answer, it is refused and not stored twice.
  const [id] = useState(() => crypto.randomUUID());
  return (
    <EntryDialog
      title="Enter Request"
      description="For somebody who asks for leave by telephone. It still needs a decision."
      schema={phonedRequestSchema}
      defaultValues={EMPTY}
      submitLabel="Enter Request"
      savingLabel="Entering..."
      success="Leave Request Submitted"
      save={(form) => mutateAsync({ id, form })}
      onClose={onClose}
    >
      {(form) => <RequestFields form={form} />}
    </EntryDialog>
  );
}
