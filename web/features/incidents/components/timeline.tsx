// How an incident went on: reported, then each change of its status with who, when and what was noted.
import type { ReactNode } from 'react';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import { STATUS_LABELS } from '../labels.ts';
import { type IncidentDetails, type IncidentUpdate, nameOf } from '../schema.ts';

function Entry({ at, by, children }: { at: string; by: string | undefined; children: ReactNode }) {
  return (
    <li className="relative break-inside-avoid border-l-2 border-line pb-5 pl-5 last:pb-0">
      <span
        aria-hidden="true"
        className="absolute top-1.5 -left-[0.4375rem] size-3 rounded-full border-2 border-accent-fill bg-raised"
      />
      {children}
      <p className="mt-0.5 text-sm text-muted">
        <time dateTime={at}>{formatLongDateTime(at)}</time>
        {by && ` · ${by}`}
      </p>
    </li>
  );
}

function Step({ from_status, to_status }: IncidentUpdate) {
  if (from_status === to_status) return <p className="font-semibold">Note added</p>;
  return (
    <p>
      {STATUS_LABELS[from_status]} <span aria-hidden="true">→</span>
      <span className="sr-only">to</span>{' '}
      <strong className="font-semibold">{STATUS_LABELS[to_status]}</strong>
    </p>
  );
}

type TimelineProps = {
  incident: IncidentDetails;
  /** Name; undefined where the account was deleted. */
  reporter: string | undefined;
  /** Whether what was noted is shown; without it, steps that only noted something are left out. */
  withNotes: boolean;
};

export function Timeline({ incident, reporter, withNotes }: TimelineProps) {
  const updates = incident.incident_updates.filter(
    ({ from_status, to_status }) => withNotes || from_status !== to_status,
  );
  return (
    <ol>
      <Entry at={incident.created_at} by={reporter}>
        <p className="font-semibold">Reported</p>
      </Entry>
      {updates.map((update) => (
        <Entry key={update.id} at={update.created_at} by={nameOf(update.author)}>
          <Step {...update} />
          {withNotes && update.incident_notes && (
            <p className="mt-1 [overflow-wrap:anywhere] whitespace-pre-line">
              {update.incident_notes.note}
            </p>
          )}
        </Entry>
      ))}
    </ol>
  );
}
