import { useState } from 'react';
import { NoShowForm } from '#web/components/form/no-show-form.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input, Textarea } from '#web/components/ui/input.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { readCity, toLocalInput } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { useCorrectAttendance, useMarkNoShow, useResolveAttendance, useUndoNoShow } from './api.ts';
import { mayCorrectAttendance } from './rights.ts';
import {
  type AttendanceRow,
  type Correction,
  correctionSchema,
  resolutionSchema,
} from './schema.ts';

/** A missing clock-in defaults to the shift's start, because most guards were on time. */
function toForm({ clock_in_at, clock_out_at, start_time, timezone }: AttendanceRow): Correction {
  return {
    clock_in: toLocalInput(clock_in_at ?? start_time, timezone),
    clock_out: clock_out_at === null ? '' : toLocalInput(clock_out_at, timezone),
    reason: '',
  };
}

function CorrectionForm({ row, onDone }: { row: AttendanceRow; onDone: () => void }) {
  const { mutateAsync } = useCorrectAttendance();
  const [schema] = useState(() => correctionSchema(row.timezone));
  const isNew = row.attendance_id === null;
  const hint = `${readCity(row.timezone)} time`;
  return (
    <section aria-label="Correction" className="border-t border-line pt-5">
      <RecordForm
        schema={schema}
        defaultValues={toForm(row)}
        latest={{ ...toForm(row), reason: '' }}
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

function ResolveForm({ id, onClose }: { id: string; onClose: () => void }) {
  const { mutateAsync } = useResolveAttendance();
  return (
    <section aria-label="Resolve" className="border-t border-line pt-5">
      <RecordForm
        schema={resolutionSchema}
        defaultValues={{ resolution: '' }}
        submitLabel="Resolve"
        failure="The exceptions were not resolved"
        save={({ resolution }) => mutateAsync({ id, resolution })}
        onSaved={() => {
          showSuccess('Exceptions resolved');
          onClose();
        }}
        onCancel={onClose}
      >
        {({ register, formState: { errors } }) => (
          <Field
            label="How the exceptions were resolved"
            hint="For example: seen at the gate, the phone had no signal."
            error={errors.resolution?.message}
          >
            {(control) => <Textarea {...control} {...register('resolution')} rows={2} />}
          </Field>
        )}
      </RecordForm>
    </section>
  );
}

type SupervisorActionsProps = { row: AttendanceRow; onClose: () => void };

export function SupervisorActions({ row, onClose }: SupervisorActionsProps) {
  const { user, roles, isAdmin, isOpsManager, isSupervisor } = useAuth();
  const [isCorrecting, setCorrecting] = useState(false);
  const [isMarking, setMarking] = useState(false);
  const mark = useMarkNoShow();
  const { mutateAsync: undoNoShow } = useUndoNoShow();
  const { save, busy } = useSave({
    success: 'Attendance updated',
    failure: 'The no-show was not undone',
  });
  const { assignment_id, attendance_id, attendance_state, status, states, user_id } = row;
  if (!mayCorrectAttendance(roles)) return null;
  const undo = () => save(() => undoNoShow(assignment_id));
  if (isMarking) {
    return (
      <section aria-label="No-show" className="border-t border-line pt-5">
        <NoShowForm
          name={row.guard_name}
          mark={(reason) => mark.mutateAsync({ assignmentId: assignment_id, reason })}
          undo={() => void undo()}
          onDone={() => setMarking(false)}
        />
      </section>
    );
  }
  if (isCorrecting) return <CorrectionForm row={row} onDone={() => setCorrecting(false)} />;
  if (user_id === user?.id) {
    return (
      <Alert title="This is your own attendance">
        Another supervisor has to correct it and resolve its exceptions.
      </Alert>
    );
  }
  const isAbsent =
    (isAdmin || isOpsManager || isSupervisor) &&
    attendance_state === 'none' &&
    states.includes('issues');
  const isNoShow = status === 'no_show';
  return (
    <div className="grid gap-5">
      {row.needs_review && attendance_id && <ResolveForm id={attendance_id} onClose={onClose} />}
      <div className="flex flex-wrap gap-3 border-t border-line pt-5">
        {status !== 'cancelled' && (
          <Button variant="secondary" onClick={() => setCorrecting(true)}>
            {attendance_id ? 'Correct Times' : 'Add Clock-in'}
          </Button>
        )}
        {isAbsent && (
          <Button
            variant="secondary"
            busy={busy}
            onClick={() => (isNoShow ? void undo() : setMarking(true))}
          >
            {isNoShow ? 'Undo No-show' : 'Mark as No-show'}
          </Button>
        )}
      </div>
    </div>
  );
}
