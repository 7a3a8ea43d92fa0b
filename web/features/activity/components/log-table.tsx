// One page of a log under its columns, in every state that a list has, and the way to older and newer pages.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { DataTable } from '#web/components/list/data-table.tsx';
import { ListStates } from '#web/components/list/list-states.tsx';
import { LogPager } from '#web/components/list/log-pager.tsx';
import type { LogPage } from '#web/lib/data/log-page.ts';

type LogTableProps<Row extends { id: string }> = Pick<
  ComponentProps<typeof DataTable<Row>>,
  'label' | 'columns' | 'onOpen'
> & {
  query: UseQueryResult<LogPage<Row>>;
  loading: string;
  /** Where the page begins; undefined on the newest one. */
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
      empty="Nothing was recorded. Change the filters."
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
