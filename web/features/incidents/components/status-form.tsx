// Moves an incident to any status, with notes. When somebody else changes it meanwhile, what was chosen and typed stays,
// and both versions are offered.
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Options } from '#web/components/records/options.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { Textarea } from '#web/components/ui/textarea.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { useUpdateStatus } from '../api/update-status.ts';
import { STATUS_LABELS, STATUSES } from '../labels.ts';
import { type IncidentDetails, nameOf, type StatusChange, statusChangeSchema } from '../schema.ts';

/** @returns what the last person to change it did, in words */
function lastChange({ incident_updates }: IncidentDetails): string {
  const last = incident_updates.at(-1);
  const who = nameOf(last?.author) ?? 'Somebody';
  const note = last?.incident_notes ? `, noting “${last.incident_notes.note}”` : '';
  return last ? `${who} set it to ${STATUS_LABELS[last.to_status]}${note}.` : `${who} changed it.`;
}

export function StatusForm({ incident }: { incident: IncidentDetails }) {
  const { mutateAsync } = useUpdateStatus();
  /** `updated_at` of the version that the person knows of. */
  const [seen, setSeen] = useState(incident.updated_at);
  const { register, handleSubmit, formState, watch, reset } = useForm<StatusChange>({
    resolver: zodResolver(statusChangeSchema),
    defaultValues: { status: incident.status, note: '' },
  });
  const busy = formState.isSubmitting;
  const chosen = watch('status');
  // One's own change is known before the list has it: only a later one is somebody else's. As text they sort by time.
  const isOverdue = incident.updated_at > seen && !busy;
  const differs = chosen !== incident.status;

  function take() {
    reset({ status: incident.status, note: '' });
    setSeen(incident.updated_at);
  }
  const submit = handleSubmit(async (change) => {
    try {
      setSeen(await mutateAsync({ incident: { id: incident.id, updated_at: seen }, change }));
      reset({ status: change.status, note: '' });
      showSuccess('Status Updated');
    } catch (error) {
      showError('Error', messageOf(error));
    }
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      {isOverdue && (
        <Alert title="This incident has changed since you opened it">
          <p>{lastChange(incident)}</p>
          <div className="mt-3 flex flex-wrap gap-3">
            <Button variant="secondary" onClick={take}>
              Keep {STATUS_LABELS[incident.status]}
            </Button>
            {differs && (
              <Button variant="secondary" onClick={() => setSeen(incident.updated_at)}>
                Go on with {STATUS_LABELS[chosen]}
              </Button>
            )}
          </div>
        </Alert>
      )}
      <Field label="Status" error={formState.errors.status?.message} className="sm:max-w-56">
        {(control) => (
          <Select {...control} {...register('status')}>
            <Options values={STATUSES} labels={STATUS_LABELS} />
          </Select>
        )}
      </Field>
      <Field
        label="Notes"
        optional
        hint="Internal: whoever reported it does not see them."
        error={formState.errors.note?.message}
      >
        {(control) => <Textarea {...control} {...register('note')} rows={3} />}
      </Field>
      {differs && !isOverdue && (
        <Button type="submit" busy={busy} className="sm:justify-self-end">
          {busy ? 'Updating...' : 'Update Status'}
        </Button>
      )}
    </form>
  );
}
