// Corrects the times of a record, or adds a missing one, by the site's clock. The database keeps the original.
import { useState } from 'react';
import { RecordForm } from '#web/components/records/record-form.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Textarea } from '#web/components/ui/textarea.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { toLocalInput } from '#web/lib/format/dates.ts';
import { useCorrectAttendance } from '../api/correct-attendance.ts';
import { type AttendanceRow, type Correction, correctionSchema } from '../schema.ts';

/** A missing clock-in is most often that of somebody who came in time. */
function formOf({ clock_in_at, clock_out_at, start_time, timezone }: AttendanceRow): Correction {
  return {
    clock_in: toLocalInput(clock_in_at ?? start_time, timezone),
    clock_out: clock_out_at === null ? '' : toLocalInput(clock_out_at, timezone),
    reason: '',
  };
}

export function CorrectionForm({ row, onDone }: { row: AttendanceRow; onDone: () => void }) {
  const { mutateAsync } = useCorrectAttendance();
  const [schema] = useState(() => correctionSchema(row.timezone));
  const isNew = row.attendance_id === null;
  const hint = `${row.timezone.split('/').at(-1)} time`;
  return (
    <section aria-label="Correction" className="border-t border-line pt-5">
      <RecordForm
        schema={schema}
        defaultValues={formOf(row)}
        latest={{ ...formOf(row), reason: '' }}
        submitLabel={isNew ? 'Add Clock-in' : 'Save Correction'}
        failure="The correction was not saved"
        save={(form) => mutateAsync({ row, form })}
        onSaved={() => {
          showSuccess(isNew ? 'Attendance added' : 'Attendance corrected');
          onDone();
        }}
        onCancel={onDone}
      >
        {({ register, formState: { errors } }) => (
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label="Clock-in" hint={hint} error={errors.clock_in?.message}>
              {(control) => <Input {...control} {...register('clock_in')} type="datetime-local" />}
            </Field>
            <Field label="Clock-out" optional hint={hint} error={errors.clock_out?.message}>
              {(control) => <Input {...control} {...register('clock_out')} type="datetime-local" />}
            </Field>
            <Field
              label="Reason"
              hint="The original times stay with the record."
              className="sm:col-span-2"
              error={errors.reason?.message}
            >
              {(control) => <Textarea {...control} {...register('reason')} rows={2} />}
            </Field>
          </div>
        )}
      </RecordForm>
    </section>
  );
}
