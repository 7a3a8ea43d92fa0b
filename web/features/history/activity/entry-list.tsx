import { useQuery } from '@tanstack/react-query';
import { AUDIT_LOG_ACTION } from '#shared/database.values.ts';
import type { Column } from '#web/components/list/columns.tsx';
import { choice, type Filter } from '#web/components/list/filters.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { nameInWords } from '#web/lib/format/letter-case.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { entriesPage } from './api.ts';
import { listChanges, recordName } from './changes.ts';
import { EntryDialog } from './entry-dialog.tsx';
import { ACTION_LABELS, ACTION_TONES } from './labels.ts';
import { LogList, whenAndWho } from './log-list.tsx';
import { type ActivitySearch, type Entry, RECORDED_TABLES } from './schema.ts';

/** Fields named in a row; the dialog shows all of them. */
const FIELDS_SHOWN = 4;

function changedFields(entry: Entry): string {
  if (entry.action !== 'update') return '';
  const fields = listChanges(entry).map(({ field }) => nameInWords(field));
  const further = fields.length > FIELDS_SHOWN ? ` and ${fields.length - FIELDS_SHOWN} more` : '';
  return `${fields.slice(0, FIELDS_SHOWN).join(', ')}${further}`;
}

const entryColumns: Column<Entry>[] = [
  ...whenAndWho<Entry>('The system'),
  {
    header: 'Action',
    card: 'aside',
    cell: (row) => <Badge tone={ACTION_TONES[row.action]}>{ACTION_LABELS[row.action]}</Badge>,
  },
  { header: 'Table', className: 'whitespace-nowrap', cell: (row) => nameInWords(row.table_name) },
  {
    header: 'Record',
    card: 'text',
    className: 'min-w-48 text-muted',
    cell: (row) => (
      <span className="line-clamp-2 [overflow-wrap:anywhere]">
        {recordName(row)}
        {recordName(row) && changedFields(row) && ': '}
        {changedFields(row)}
      </span>
    ),
  },
];

const FILTERS: Filter<keyof ActivitySearch>[] = [
  choice(
    'table',
    'Table',
    'All tables',
    RECORDED_TABLES.map((table) => [table, nameInWords(table)]),
  ),
  choice('action', 'Action', 'All actions', toOptions(AUDIT_LOG_ACTION, ACTION_LABELS)),
];

type EntryListProps = { search: ActivitySearch; onChange: ChangeSearch<ActivitySearch> };

export function EntryList({ search, onChange }: EntryListProps) {
  const { row, open } = search;
  return (
    <>
      <LogList
        search={search}
        onChange={onChange}
        filters={FILTERS}
        notice={
          row && (
            <Alert
              title="History of one record"
              className="mb-5"
              action={
                <Button
                  variant="secondary"
                  onClick={() => onChange({ row: undefined, before: undefined })}
                >
                  Show all records
                </Button>
              }
            >
              <span className="[overflow-wrap:anywhere]">{row}</span>
            </Alert>
          )
        }
        query={useQuery(entriesPage(search))}
        loading="Loading activity..."
        label="Activity"
        columns={entryColumns}
        onOpen={({ id }) => onChange({ open: id })}
      />
      {open && (
        <EntryDialog
          key={open}
          id={open}
          onHistory={(id) =>
            onChange({
              row: id,
              open: undefined,
              person: undefined,
              table: undefined,
              action: undefined,
              from: undefined,
              to: undefined,
              before: undefined,
            })
          }
          onClose={() => onChange({ open: undefined })}
        />
      )}
    </>
  );
}
