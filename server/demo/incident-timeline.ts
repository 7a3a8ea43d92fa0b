// One timeline entry for each status that an incident went through.
import type { ClientBase } from 'pg';
import { iso } from './calendar.ts';
import { idOf } from './ids.ts';
import type { Incident } from './incidents.ts';
import { load } from './load.ts';
import type { Oversight } from './oversight.ts';

const STATUSES = ['open', 'investigating', 'resolved', 'closed'] as const;

/** The last entry has the time of the incident's last change, and its note. */
function entriesOf(incident: Incident) {
  const { id, at, followedUp, status, notes } = incident;
  const reached = STATUSES.indexOf(status);
  return STATUSES.slice(0, reached).map((from, step) => ({
    incident: id,
    from,
    to: STATUSES[step + 1] ?? status,
    at: at + ((followedUp - at) * (step + 1)) / reached,
    note: step + 1 === reached ? notes : null,
  }));
}

export async function insertTimeline(
  client: ClientBase,
  incidents: readonly Incident[],
  oversight: Oversight,
): Promise<void> {
  const entries = incidents
    .flatMap((incident) => {
      const by = oversight.overseerOf(incident.assignment.shift.site).id;
      return entriesOf(incident).map((entry) => ({ ...entry, by }));
    })
    .map((entry, index) => ({ ...entry, id: idOf('incident update', index) }));
  await load(
    client,
    'public.incident_updates',
    {
      id: 'uuid',
      incident_id: 'uuid',
      from_status: 'text',
      to_status: 'text',
      created_by: 'uuid',
      created_at: 'timestamptz',
    },
    entries.map(({ id, incident, from, to, by, at }) => ({
      id,
      incident_id: incident,
      from_status: from,
      to_status: to,
      created_by: by,
      created_at: iso(at),
    })),
  );
  await load(
    client,
    'public.incident_notes',
    { id: 'uuid', incident_id: 'uuid', note: 'text' },
    entries
      .filter(({ note }) => note !== null)
      .map(({ id, incident, note }) => ({ id, incident_id: incident, note })),
  );
}
