import { useQuery } from '@tanstack/react-query';
import { formatCount } from '#shared/count.ts';
import { AUDIT_LOG_ACTION } from '#shared/database.values.ts';
import type { Column } from '#web/components/list/columns.tsx';
import { choice, type Filter } from '#web/components/list/filters.tsx';
import { MomentText } from '#web/components/text/date-text.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { nameInWords } from '#web/lib/format/letter-case.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import type { ActivityAction } from './actions.ts';
import { entriesPage } from './api.ts';
import { EntryDialog } from './entry-dialog.tsx';
import { ACTION_LABELS, ACTION_TONES } from './labels.ts';
import { LogList } from './log-list.tsx';
import { type ActivitySearch, RECORDED_TABLES } from './schema.ts';

const entryColumns: Column<ActivityAction>[] = [
  {
    header: 'When',
    card: 'text',
    className: 'whitespace-nowrap',
    cell: ({ main }) => <MomentText at={main.at} />,
  },
  {
    header: 'Action',
    cell: ({ main }) => (
      <Badge tone={ACTION_TONES[main.action]}>{ACTION_LABELS[main.action]}</Badge>
    ),
  },
  {
    header: 'What Happened',
    card: 'title',
    className: 'min-w-64 [overflow-wrap:anywhere]',
    cell: ({ sentence, caused }) => (
      <span className="block">
        {sentence}
        {caused.length > 0 && (
          <span className="block text-sm font-normal text-muted">
            and {formatCount(caused.length)} {caused.length === 1 ? 'consequence' : 'consequences'}
          </span>
        )}
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
  choice('rows', 'Rows', 'People’s actions', [['all', 'Also the system’s']]),
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
              All that is recorded about it, newest first.
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
          onOpen={(id) => onChange({ open: id })}
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
