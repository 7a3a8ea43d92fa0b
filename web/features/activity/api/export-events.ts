// The newest security events that the filters leave, as a CSV file.
import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { EXPORTED } from '../exported.ts';
import { eventLabel } from '../labels.ts';
import type { EventFilters, SecurityEvent } from '../schema.ts';
import { eventsQuery } from './list-events.ts';

const COLUMNS: CsvColumn<SecurityEvent>[] = [
  { heading: 'When', value: (event) => event.at },
  { heading: 'Person', value: (event) => event.actor_email },
  { heading: 'Event', value: (event) => eventLabel(event.action) },
  { heading: 'Address', value: (event) => event.ip_address },
  { heading: 'Details', value: (event) => JSON.stringify(event.details) },
];

export async function exportEvents(filters: EventFilters): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await eventsQuery(filters)
      .range(from, to)
      .returns<SecurityEvent[]>()
      .throwOnError();
    return data;
  }, EXPORTED);
  await downloadCsv('security-events', COLUMNS, rows);
}
