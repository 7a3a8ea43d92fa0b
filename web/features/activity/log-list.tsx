import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { DayFilter } from '#web/components/list/day-filter.tsx';
import { FilterPicker } from '#web/components/list/filter-picker.tsx';
import { ListStates } from '#web/components/list/list-states.tsx';
import { LogPager } from '#web/components/list/log-pager.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import type { LogPage } from '#web/lib/data/log-page.ts';
import { usePeople, usePerson } from '#web/lib/data/lookups.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import type { ActivitySearch } from './schema.ts';

type LogRow = { id: string; at: string; actor_email: string | null };

/** @param noPerson shown in rows without a person */
export const whenAndWho = <Row extends LogRow>(noPerson: string): Column<Row>[] => [
  {
    header: 'When',
    card: 'title',
    className: 'whitespace-nowrap',
    cell: (row) => <time dateTime={row.at}>{formatDateTime(row.at)}</time>,
  },
  {
    header: 'Person',
    className: '[overflow-wrap:anywhere]',
    cell: (row) => row.actor_email ?? noPerson,
  },
];

type LogListProps<Row extends LogRow> = {
  search: ActivitySearch;
  onChange: ChangeSearch<ActivitySearch>;
  /** The log's own filters, between person and days. `filter` also goes back to the newest page. */
  filters: (filter: ChangeSearch<ActivitySearch>) => ReactNode;
  /** Between the filters and the table. */
  notice?: ReactNode;
  query: UseQueryResult<LogPage<Row>>;
  loading: string;
  label: string;
  columns: Column<Row>[];
  onOpen?: (row: Row) => void;
};

/** Filters, table and pager of a log. */
export function LogList<Row extends LogRow>(props: LogListProps<Row>) {
  const { search, onChange, query } = props;
  const { before } = search;
  const { data: person } = usePerson(search.person);
  const filter: ChangeSearch<ActivitySearch> = (change) =>
    onChange({ ...change, before: undefined });
  return (
    <>
      <search className="mb-5 flex flex-wrap items-end gap-3">
        <FilterPicker
          label="Person"
          searchLabel="Search people"
          placeholder="Everyone"
          value={person ?? undefined}
          onChange={(choice) => filter({ person: choice?.id })}
          useChoices={usePeople}
        />
        {props.filters(filter)}
        <div className="flex flex-wrap gap-3 max-lg:w-full">
          <DayFilter label="From" value={search.from} onChange={(from) => filter({ from })} />
          <DayFilter label="To" value={search.to} onChange={(to) => filter({ to })} />
        </div>
      </search>
      {props.notice}
      <ListStates
        query={query}
        loading={props.loading}
        isEmpty={({ rows }) => rows.length === 0 && before === undefined}
        empty="No entries match. Change the filters."
      >
        {({ rows, older }) => (
          <>
            <DataTable
              dense
              label={props.label}
              columns={props.columns}
              rows={rows}
              rowId={({ id }) => id}
              onOpen={props.onOpen}
            />
            <LogPager
              before={before}
              older={older}
              busy={query.isFetching}
              onPage={(next) => onChange({ before: next })}
              onRefresh={() => void query.refetch()}
            />
          </>
        )}
      </ListStates>
    </>
  );
}
