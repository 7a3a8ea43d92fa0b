// The newest entries that the filters leave, as a CSV file.
import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { recordName } from '../changes.ts';
import { EXPORTED } from '../exported.ts';
import { ACTION_LABELS, words } from '../labels.ts';
import type { Entry, EntryFilters } from '../schema.ts';
import { entriesQuery } from './list-entries.ts';

const COLUMNS: CsvColumn<Entry>[] = [
  { heading: 'When', value: (entry) => entry.at },
  { heading: 'Person', value: (entry) => entry.actor_email },
  { heading: 'Action', value: (entry) => ACTION_LABELS[entry.action] },
  { heading: 'Table', value: (entry) => words(entry.table_name) },
  { heading: 'Record', value: recordName },
  { heading: 'Record Id', value: (entry) => entry.row_id },
  {
    heading: 'Before',
    value: ({ old_values }) => (old_values === null ? null : JSON.stringify(old_values)),
  },
  {
    heading: 'After',
    value: ({ new_values }) => (new_values === null ? null : JSON.stringify(new_values)),
  },
];

export async function exportEntries(filters: EntryFilters): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await entriesQuery(filters)
      .order('at', { ascending: false })
      .order('id', { ascending: false })
      .range(from, to)
      .throwOnError();
    return data;
  }, EXPORTED);
  await downloadCsv('activity', COLUMNS, rows);
}
