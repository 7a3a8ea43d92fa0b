import type { ReactNode } from 'react';
import { Item } from '#web/components/ui/figures.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { ClientLink, SiteLink } from '#web/components/ui/place-links.tsx';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import { INCIDENT_CATEGORY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { findName, type IncidentDetails, type IncidentUpdate } from './schema.ts';

type IncidentFactsProps = { incident: IncidentDetails; reporter: string | undefined };

export function IncidentFacts({ incident, reporter }: IncidentFactsProps) {
  const { sites, created_at, written_at, happened_at, category, raised_by_user_id } = incident;
  const facts: [name: string, value: ReactNode][] = [
    ['Site', <SiteLink key="site" id={incident.site_id} name={sites.name} />],
    ['Client', <ClientLink key="client" id={sites.client_id} name={sites.client_name} />],
    ['Address', sites.address],
    ['Category', INCIDENT_CATEGORY_LABELS[category]],
    ...(happened_at ? [['Happened', formatLongDateTime(happened_at)] as [string, string]] : []),
    ['Reported', formatLongDateTime(created_at)],
    [
      'Reported by',
      <PersonLink
        key="reporter"
        id={reporter && raised_by_user_id}
        name={reporter ?? incident.caller ?? 'Account deleted'}
      />,
    ],
  ];
  if (written_at) facts.push(['Written', formatLongDateTime(written_at)]);
  if (incident.witnesses) facts.push(['Witnesses', incident.witnesses]);
  if (incident.entered_by) facts.push(['Entered by', findName(incident.clerk) ?? 'Former user']);
  return (
    <dl className="grid gap-x-6 gap-y-3 text-[0.9375rem] xs:grid-cols-2">
      {facts.map(([name, value]) => (
        <Item key={name} name={name}>
          {value}
        </Item>
      ))}
    </dl>
  );
}

function TimelineEntry({
  at,
  by,
  children,
}: {
  at: string;
  by: string | undefined;
  children: ReactNode;
}) {
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

function FollowUpStep({ changed, owner, owner_id, due_at }: IncidentUpdate) {
  const parts = [
    changed.includes('owner') &&
      (owner_id === null ? 'Owner removed' : `Owner: ${findName(owner) ?? 'a colleague'}`),
    changed.includes('due') &&
      (due_at === null ? 'Due time removed' : `Due ${formatLongDateTime(due_at)}`),
  ];
  return <p className="font-semibold">{parts.filter(Boolean).join(', ')}</p>;
}

function StatusStep(update: IncidentUpdate) {
  const { from_status, to_status, changed } = update;
  if (from_status === to_status) {
    if (changed.length > 0) return <FollowUpStep {...update} />;
    return <p className="font-semibold">Note added</p>;
  }
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
  /** Name; undefined if the account was deleted. */
  reporter: string | undefined;
  /** Without notes, entries that only add a note are left out too. */
  withNotes: boolean;
};

export function Timeline({ incident, reporter, withNotes }: TimelineProps) {
  const updates = incident.incident_updates.filter(
    ({ from_status, to_status }) => withNotes || from_status !== to_status,
  );
  return (
    <ol>
      {incident.happened_at && (
        <TimelineEntry at={incident.happened_at} by={undefined}>
          <p className="font-semibold">Happened</p>
        </TimelineEntry>
      )}
      {incident.written_at && (
        <TimelineEntry at={incident.written_at} by={reporter}>
          <p className="font-semibold">Written</p>
        </TimelineEntry>
      )}
      <TimelineEntry at={incident.created_at} by={reporter}>
        <p className="font-semibold">Reported</p>
      </TimelineEntry>
      {updates.map((update) => (
        <TimelineEntry key={update.id} at={update.created_at} by={findName(update.author)}>
          <StatusStep {...update} />
          {withNotes && update.incident_notes && (
            <p className="mt-1 [overflow-wrap:anywhere] whitespace-pre-line">
              {update.incident_notes.note}
            </p>
          )}
        </TimelineEntry>
      ))}
    </ol>
  );
}
