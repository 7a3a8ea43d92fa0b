import { Alert } from '#web/components/ui/alert.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { INCIDENT_CATEGORY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { EvidenceSection } from '../evidence-section.tsx';
import { ReportNotes } from '../report-notes.tsx';
import { AddNote } from './add-note.tsx';
import { type GuardIncident, useGuardIncident } from './own-incident.ts';
import { unsentNotes } from './report-note.ts';
import { useSiteChoice } from './site-choices.ts';

function Progress({ incident }: { incident: GuardIncident }) {
  const { written_at, created_at, incident_updates } = incident;
  const steps = [
    ...(written_at ? [{ id: 'written', label: 'Written', at: written_at }] : []),
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

/** Notes that this phone has not sent yet, and the field for another one. */
function OwnNotes({ incident }: { incident: GuardIncident }) {
  const unsent = unsentNotes(useOutbox().waiting, incident.id);
  return (
    <>
      {unsent.map(({ id, note }) => (
        <p key={id} className="mt-3 border-l-2 border-line pl-3 [overflow-wrap:anywhere]">
          {note}
          <span className="block text-sm text-muted">Waiting to send</span>
        </p>
      ))}
      <AddNote incident={incident} />
    </>
  );
}

/** The question of the last review with the field for the answer, until the guard has answered. */
function Question({ incident }: { incident: GuardIncident }) {
  return (
    <div>
      <Alert title="Your supervisor asks">
        <p className="text-base whitespace-pre-line text-ink [overflow-wrap:anywhere]">
          {incident.incident_reviews.at(-1)?.note}
        </p>
      </Alert>
      <OwnNotes incident={incident} />
    </div>
  );
}

function IncidentView({ incident }: { incident: GuardIncident }) {
  const { user } = useAuth();
  const site = useSiteChoice(incident.site_id);
  const isOwn = incident.raised_by_user_id === user?.id;
  const isAsked = isOwn && incident.review_state === 'returned';
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
      {isAsked && <Question incident={incident} />}
      <p className="[overflow-wrap:anywhere] whitespace-pre-line">{incident.description}</p>
      <section aria-label="Evidence" className="border-t border-line pt-5">
        <h3 className="mb-3 font-display text-lg leading-tight">Evidence</h3>
        <EvidenceSection incident={incident} mayAdd={isOwn} mayRemove={false} />
      </section>
      {((isOwn && !isAsked) || incident.report_notes.length > 0) && (
        <section aria-label="Notes" className="border-t border-line pt-5">
          <h3 className="mb-3 font-display text-lg leading-tight">Notes</h3>
          <ReportNotes notes={incident.report_notes} />
          {isOwn && !isAsked && <OwnNotes incident={incident} />}
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
  const { user } = useAuth();
  return (
    <DetailDialog
      query={useGuardIncident(id, user?.id)}
      title="Incident"
      missing="This incident does not exist, or you may not see it."
      onClose={onClose}
    >
      {(incident) => <IncidentView incident={incident} />}
    </DetailDialog>
  );
}
