// The activity log: filters, pages, and the dialog of the entry that the address names.
import { FilterSelect } from '#web/components/list/filter-select.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useEntries } from '../api/list-entries.ts';
import { ACTION_LABELS, words } from '../labels.ts';
import { ACTIONS, type ActivitySearch, RECORDED_TABLES } from '../schema.ts';
import { entryColumns } from './entry-columns.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { LogFilters } from './log-filters.tsx';
import { LogTable } from './log-table.tsx';

const TABLE_OPTIONS = RECORDED_TABLES.map((table) => [table, words(table)] as const);
const ACTION_OPTIONS = ACTIONS.map((action) => [action, ACTION_LABELS[action]] as const);

type EntryListProps = { search: ActivitySearch; onChange: ChangeSearch<ActivitySearch> };

export function EntryList({ search, onChange }: EntryListProps) {
  const { person, table, action, row, from, to, before, open } = search;
  const query = useEntries({ person, table, action, row, from, to }, before);
  const filter: ChangeSearch<ActivitySearch> = (change) =>
    onChange({ ...change, before: undefined });
  return (
    <>
      <LogFilters search={search} onFilter={filter}>
        <FilterSelect
          label="Table"
          all="All tables"
          options={TABLE_OPTIONS}
          value={table}
          onChange={(value) => filter({ table: value })}
        />
        <FilterSelect
          label="Action"
          all="All actions"
          options={ACTION_OPTIONS}
          value={action}
          onChange={(value) => filter({ action: value })}
        />
      </LogFilters>
      {row && (
        <Alert
          title="The history of one record"
          className="mb-5"
          action={
            <Button variant="secondary" onClick={() => filter({ row: undefined })}>
              Show every record
            </Button>
          }
        >
          <span className="[overflow-wrap:anywhere]">{row}</span>
        </Alert>
      )}
      <LogTable
        label="Activity"
        columns={entryColumns}
        query={query}
        loading="Loading activity..."
        onOpen={({ id }) => onChange({ open: id })}
        before={before}
        onPage={(next) => onChange({ before: next })}
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
