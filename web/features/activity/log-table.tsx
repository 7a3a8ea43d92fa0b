import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { DataTable } from '#web/components/list/data-table.tsx';
import { DayFilter } from '#web/components/list/day-filter.tsx';
import { FilterPicker } from '#web/components/list/filter-picker.tsx';
import { ListStates } from '#web/components/list/list-states.tsx';
import { LogPager } from '#web/components/list/log-pager.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import type { LogPage } from '#web/lib/data/log-page.ts';
import { usePeople, usePerson } from '#web/lib/data/lookups.ts';
import type { ActivitySearch } from './schema.ts';

type LogFiltersProps = {
  search: ActivitySearch;
  /** Also goes back to the newest page. */
  onFilter: ChangeSearch<ActivitySearch>;
  children: ReactNode;
};

/** Filters that both logs have. The children, for a log's own filters, are between person and dates. */
export function LogFilters({ search, onFilter, children }: LogFiltersProps) {
  const { data: person } = usePerson(search.person);
  return (
    <search className="mb-5 flex flex-wrap items-end gap-3">
      <FilterPicker
        label="Person"
        searchLabel="Search people"
        placeholder="Everyone"
        value={person ?? undefined}
        onChange={(choice) => onFilter({ person: choice?.id })}
        useChoices={usePeople}
      />
      {children}
      <div className="flex flex-wrap gap-3 max-lg:w-full">
        <DayFilter label="From" value={search.from} onChange={(from) => onFilter({ from })} />
        <DayFilter label="To" value={search.to} onChange={(to) => onFilter({ to })} />
      </div>
    </search>
  );
}

type LogTableProps<Row extends { id: string }> = Pick<
  ComponentProps<typeof DataTable<Row>>,
  'label' | 'columns' | 'onOpen'
> & {
  query: UseQueryResult<LogPage<Row>>;
  loading: string;
  /** Cursor of the page; undefined for the newest page. */
  before: string | undefined;
  onPage: (before: string | undefined) => void;
};

export function LogTable<Row extends { id: string }>(props: LogTableProps<Row>) {
  const { query, loading, before, onPage, ...table } = props;
  return (
    <ListStates
      query={query}
      loading={loading}
      isEmpty={({ rows }) => rows.length === 0 && before === undefined}
      empty="No entries match. Change the filters."
    >
      {({ rows, older }) => (
        <>
          <DataTable dense {...table} rows={rows} rowId={({ id }) => id} />
          <LogPager
            before={before}
            older={older}
            busy={query.isFetching}
            onPage={onPage}
            onRefresh={() => void query.refetch()}
          />
        </>
      )}
    </ListStates>
  );
}
