import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { INCIDENTS_STATUS } from '#shared/database.values.ts';
import { Options } from '#web/components/form/inputs.tsx';
import { CallButton } from '#web/components/records/call-button.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { useIncident, useReporter, useUpdateStatus } from './api.ts';
import { EvidenceSection } from './evidence-section.tsx';
import { FollowUpForm } from './follow-up-form.tsx';
import { HandlingTimes } from './handling-times.tsx';
import { IncidentFacts, Timeline } from './incident-facts.tsx';
import { LetterLog } from './letter-log.tsx';
import { PrintIncident } from './print-incident.tsx';
import { ReportNotes } from './report-notes.tsx';
import { ReviewSection } from './review-section.tsx';
import { findName, type IncidentDetails, type StatusChange, statusChangeSchema } from './schema.ts';

function describeLastChange({ incident_updates }: IncidentDetails): string {
  const last = incident_updates.at(-1);
  const who = findName(last?.author) ?? 'Another user';
  const note = last?.incident_notes ? `, with the note “${last.incident_notes.note}”` : '';
  if (last && last.changed.length > 0 && last.from_status === last.to_status) {
    return `${who} changed the follow-up.`;
  }
  return last ? `${who} set it to ${STATUS_LABELS[last.to_status]}${note}.` : `${who} changed it.`;
}

type StatusFormProps = {
  incident: IncidentDetails;
  /** `updated_at` of the version that the user has seen. */
  seenVersion: string;
  setSeenVersion: (version: string) => void;
};

function StatusForm({ incident, seenVersion, setSeenVersion }: StatusFormProps) {
  const { mutateAsync } = useUpdateStatus();
  const { register, handleSubmit, formState, watch, reset } = useForm<StatusChange>({
    resolver: zodResolver(statusChangeSchema),
    defaultValues: { status: incident.status, note: '' },
  });
  const busy = formState.isSubmitting;
  const chosen = watch('status');
  // The mutation returns the user's own version before the refetch, so a later one is another user's. ISO timestamps sort as text.
  const hasConflict = incident.updated_at > seenVersion && !busy;
  const differs = chosen !== incident.status;

  function takeCurrentVersion() {
    reset({ status: incident.status, note: '' });
    setSeenVersion(incident.updated_at);
  }
  const submit = handleSubmit(async (change) => {
    try {
      setSeenVersion(
        await mutateAsync({ incident: { id: incident.id, updated_at: seenVersion }, change }),
      );
      reset({ status: change.status, note: '' });
      showSuccess('Status Updated');
    } catch (error) {
      showError('Error', describeError(error));
    }
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      {hasConflict && (
        <Alert title="This incident has changed since you opened it">
          <p>{describeLastChange(incident)}</p>
          <div className="mt-3 flex flex-wrap gap-3">
            <Button variant="secondary" onClick={takeCurrentVersion}>
              Keep {STATUS_LABELS[incident.status]}
            </Button>
            {differs && (
              <Button variant="secondary" onClick={() => setSeenVersion(incident.updated_at)}>
                Set to {STATUS_LABELS[chosen]}
              </Button>
            )}
          </div>
        </Alert>
      )}
      <Field label="Status" error={formState.errors.status?.message} className="sm:max-w-56">
        {(control) => (
          <Select {...control} {...register('status')}>
            <Options values={INCIDENTS_STATUS} labels={STATUS_LABELS} />
          </Select>
        )}
      </Field>
      <Field
        label="Notes"
        optional
        hint="Internal: not shown to the guard who reported the incident."
        error={formState.errors.note?.message}
      >
        {(control) => <Textarea {...control} {...register('note')} rows={3} />}
      </Field>
      {differs && !hasConflict && (
        <Button type="submit" busy={busy} className="sm:justify-self-end">
          {busy ? 'Updating...' : 'Update Status'}
        </Button>
      )}
    </form>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-t border-line pt-5">
      <h3 className="mb-3 font-display text-lg leading-tight">{title}</h3>
      {children}
    </section>
  );
}

function IncidentDetailsView({ incident }: { incident: IncidentDetails }) {
  const { data, isLoading } = useReporter(incident.raised_by_user_id);
  const reporter = isLoading ? '…' : findName(data);
  // Shared, so that saving one form is no conflict for the other.
  const [seenVersion, setSeenVersion] = useState(incident.updated_at);
  return (
    <div data-first-focus tabIndex={-1} className="grid gap-6 outline-none">
      <div className="grid gap-3">
        <p className="text-lg font-semibold [overflow-wrap:anywhere]">{incident.title}</p>
        <div className="flex flex-wrap gap-2">
          <StatusBadge status={incident.severity} />
          <StatusBadge status={incident.status} />
          <StatusBadge status={incident.review_state} />
        </div>
        {(incident.status === 'open' || incident.status === 'investigating') && (
          <CallButton
            source={{ incidentId: incident.id }}
            subject={incident.title}
            className="justify-self-start"
          />
        )}
      </div>
      <IncidentFacts incident={incident} reporter={reporter} />
      <Part title="Description">
        <p className="[overflow-wrap:anywhere] whitespace-pre-line">{incident.description}</p>
      </Part>
      {incident.report_notes.length > 0 && (
        <Part title="Added by the Reporter">
          <ReportNotes notes={incident.report_notes} />
        </Part>
      )}
      <Part title="Evidence">
        <EvidenceSection incident={incident} />
      </Part>
      <Part title="Review">
        <ReviewSection incident={incident} />
      </Part>
      <Part title="Follow-up">
        <HandlingTimes incident={incident} />
        <FollowUpForm incident={incident} onSaved={setSeenVersion} />
      </Part>
      <Part title="Update Status">
        <StatusForm {...{ incident, seenVersion, setSeenVersion }} />
      </Part>
      <Part title="Timeline">
        <Timeline incident={incident} reporter={reporter} withNotes />
      </Part>
      <Part title="Letter to the client">
        <LetterLog incident={incident} />
      </Part>
      <Part title="Report">
        <PrintIncident incident={incident} reporter={reporter} />
      </Part>
    </div>
  );
}

export function IncidentDialog({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <DetailDialog
      query={useIncident(id)}
      title="Incident Details"
      missing="This incident does not exist, or you may not see it."
      onClose={onClose}
    >
      {(incident) => <IncidentDetailsView incident={incident} />}
    </DetailDialog>
  );
}
