// A list as most screens have it: its states, one page of rows under their columns, and the way to the other pages.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { PAGE_SIZE } from '#web/lib/list-page.ts';
import type { Page } from '#web/lib/records.ts';
import { DataTable } from './data-table.tsx';
import { ListStates } from './list-states.tsx';
import { Pager } from './pager.tsx';

type PagedTableProps<Row extends object> = Omit<
  ComponentProps<typeof DataTable<Row>>,
  'rows' | 'sorting'
> & {
  query: UseQueryResult<Page<Row>>;
  /** For example "Loading enquiries..." */
  loading: string;
  /** Said instead of the rows: what is missing, and what would bring it. */
  empty: ReactNode;
  /** From 1. */
  page: number;
  /** As `sortField` reads it; of use where columns have `meta.sort`. */
  sort?: string | undefined;
  /** Changes the address: another page, or another order from its first page on. */
  onChange: (change: { page: number | undefined; sort?: string | undefined }) => void;
};

export function PagedTable<Row extends object>(props: PagedTableProps<Row>) {
  const { query, loading, empty, page, sort, onChange, ...table } = props;
  return (
    <ListStates
      query={query}
      loading={loading}
      isEmpty={({ rows }) => rows.length === 0}
      empty={empty}
    >
      {({ rows, total }) => (
        <>
          <DataTable
            {...table}
            rows={rows}
            sorting={{ sort, onSort: (next) => onChange({ sort: next, page: undefined }) }}
          />
          <Pager
            page={page}
            pageSize={PAGE_SIZE}
            total={total}
            onPage={(next) => onChange({ page: next === 1 ? undefined : next })}
          />
        </>
      )}
    </ListStates>
  );
}
