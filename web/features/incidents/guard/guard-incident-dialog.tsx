import { useRef, useState } from 'react';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/input.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { INCIDENT_CATEGORY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { EvidenceSection } from '../evidence-section.tsx';
import { ReportNotes } from '../report-notes.tsx';
import { type GuardIncident, useAddReportNote, useGuardIncident } from './own-incident.ts';
import { useSiteChoice } from './site-choices.ts';

function Progress({ incident: { created_at, incident_updates } }: { incident: GuardIncident }) {
  const steps = [
    { id: 'reported', label: 'Reported', at: created_at },
    ...incident_updates
      .filter(({ from_status, to_status }) => from_status !== to_status)
      .map(({ id, to_status, created_at: at }) => ({ id, label: STATUS_LABELS[to_status], at })),
  ];
  return (
    <ol className="grid gap-2">
      {steps.map(({ id, label, at }) => (
        <li key={id} className="border-l-2 border-accent-fill pl-3">
          <span className="font-semibold">{label}</span>
          <time dateTime={at} className="block text-sm text-muted">
            {formatLongDateTime(at)}
          </time>
        </li>
      ))}
    </ol>
  );
}

const MAX_NOTE_LENGTH = 2000;

/** What the reporter remembers later. */
function AddNote({ incidentId }: { incidentId: string }) {
  const [note, setNote] = useState('');
  const id = useRef(crypto.randomUUID());
  const { mutate, isPending } = useAddReportNote();
  function send() {
    if (isPending || note.trim() === '') return;
    mutate(
      { id: id.current, incidentId, note: note.trim() },
      {
        onSuccess: () => {
          id.current = crypto.randomUUID();
          setNote('');
          showSuccess('Note Added');
        },
        onError: (error) => showError('Error', messageOf(error)),
      },
    );
  }
  return (
    <form
      className="mt-3 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Field label="Add a note" hint="What you saw or heard since. Your supervisor reads it.">
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxLength={MAX_NOTE_LENGTH}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        )}
      </Field>
      <Button
        type="submit"
        variant="secondary"
        busy={isPending}
        disabled={note.trim() === ''}
        className="sm:justify-self-end"
      >
        Add Note
      </Button>
    </form>
  );
}

function IncidentView({ incident }: { incident: GuardIncident }) {
  const { user } = useAuth();
  const site = useSiteChoice(incident.site_id);
  const isOwn = incident.raised_by_user_id === user?.id;
  return (
    <div data-first-focus tabIndex={-1} className="grid gap-6 outline-none">
      <div className="grid gap-2.5">
        <p className="text-lg font-semibold [overflow-wrap:anywhere]">{incident.title}</p>
        <div className="flex flex-wrap gap-2">
          <StatusBadge status={incident.severity} />
          <StatusBadge status={incident.status} />
        </div>
        <p className="text-sm text-muted">
          {[site?.label, INCIDENT_CATEGORY_LABELS[incident.category], isOwn && 'Reported by you']
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <p className="[overflow-wrap:anywhere] whitespace-pre-line">{incident.description}</p>
      <section aria-label="Evidence" className="border-t border-line pt-5">
        <h3 className="mb-3 font-display text-lg leading-tight">Evidence</h3>
        <EvidenceSection incident={incident} mayAdd={isOwn} mayRemove={false} />
      </section>
      {(isOwn || incident.report_notes.length > 0) && (
        <section aria-label="Notes" className="border-t border-line pt-5">
          <h3 className="mb-3 font-display text-lg leading-tight">Notes</h3>
          <ReportNotes notes={incident.report_notes} />
          {isOwn && <AddNote incidentId={incident.id} />}
        </section>
      )}
      <section aria-label="Progress" className="border-t border-line pt-5">
        <h3 className="mb-3 font-display text-lg leading-tight">Progress</h3>
        <Progress incident={incident} />
      </section>
    </div>
  );
}

export function GuardIncidentDialog({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <DetailDialog
      query={useGuardIncident(id)}
      title="Incident"
      missing="This incident does not exist, or you may not see it."
      onClose={onClose}
    >
      {(incident) => <IncidentView incident={incident} />}
    </DetailDialog>
  );
}
