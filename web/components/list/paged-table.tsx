import type { UseQueryResult } from '@tanstack/react-query';
import {
  type ComponentProps,
  type ReactNode,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { PAGE_SIZE, type Page } from '#web/lib/data/pages.ts';
import { lazily } from '#web/lib/render/lazily.tsx';
import { DataTable } from './data-table.tsx';
import type { ListActions } from './list-actions.ts';
import { ListStates } from './list-states.tsx';
import { ListPager, usePages } from './pager.tsx';
import { type Selection, useSelection } from './selection.ts';
import type { SelectionBarProps } from './selection-bar.tsx';
import { SelectionDock } from './selection-controls.tsx';

type PagedTableProps<Row extends object> = Omit<
  ComponentProps<typeof DataTable<Row>>,
  'rows' | 'sorting' | 'selection'
> & {
  bulk?: ListActions<Row> | undefined;
  query: UseQueryResult<Page<Row>>;
  /** For example "Loading enquiries..." */
  loading: string;
  /** Shown instead of the rows: what is missing, and how to add it. */
  empty: ReactNode;
  /** From 1. */
  page: number;
  /** Rows per page, and how many are usual. */
  size?: number | undefined;
  usual?: number | undefined;
  /** As `sortField` reads it, for columns with `sort`. */
  sort?: string | undefined;
  /** Changes the address: another page, or another order and its first page. */
  onChange: (change: {
    page: number | undefined;
    sort?: string | undefined;
    size?: number | undefined;
  }) => void;
};

const SelectionBar = lazily<SelectionBarProps<object>>(
  async () => (await import('./selection-bar.tsx')).SelectionBar,
);

/** Memoized: opening a row's dialog must not render the whole table again. */
function Rows<Row extends object>(
  props: Omit<PagedTableProps<Row>, 'query' | 'loading' | 'empty' | 'page' | 'size' | 'usual'> & {
    rows: Row[];
    store: Selection<Row>;
  },
) {
  const { label, columns, rows, dense, room, isUsuallyCards, totals, sort, store } = props;
  const isSelectable = (props.bulk?.actions.length ?? 0) > 0;
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const [rowId] = useState(() => props.rowId);
  const isOpenable = props.onOpen !== undefined;
  const onOpen = useCallback((row: Row) => latest.current.onOpen?.(row), []);
  useLayoutEffect(() => {
    if (isSelectable) store.showPage(rows.map((row) => ({ id: rowId(row), row })));
  }, [isSelectable, store, rows, rowId]);
  return useMemo(() => {
    const onSort = (next: string | undefined) =>
      latest.current.onChange({ sort: next, page: undefined });
    const nameOf = (row: Row) => latest.current.bulk?.nameOf(row) ?? '';
    const selection = isSelectable ? { store, nameOf } : undefined;
    const look = { dense, room, isUsuallyCards };
    const table = { label, columns, rows, rowId, ...look, totals, selection };
    return (
      <DataTable {...table} onOpen={isOpenable ? onOpen : undefined} sorting={{ sort, onSort }} />
    );
  }, [
    label,
    columns,
    rows,
    rowId,
    dense,
    room,
    isUsuallyCards,
    totals,
    sort,
    isOpenable,
    onOpen,
    isSelectable,
    store,
  ]);
}

export function PagedTable<Row extends object>(props: PagedTableProps<Row>) {
  const { query, loading, empty, page, usual = PAGE_SIZE, size = usual, ...table } = props;
  const answered = query.isPlaceholderData ? undefined : query.data;
  const onPage = usePages(answered, page, size, table.onChange);
  const { bulk, rowId } = props;
  const store = useSelection<Row>(bulk?.filters);
  return (
    <ListStates
      query={query}
      loading={loading}
      isEmpty={({ rows }) => rows.length === 0}
      empty={empty}
    >
      {({ rows, total }) => (
        <div data-list>
          <Rows {...table} rows={rows} store={store} />
          <ListPager {...{ page, size, usual, total, onPage }} onChange={table.onChange} />
          {bulk && bulk.actions.length > 0 && (
            <SelectionDock selection={store} noun={bulk.noun}>
              <SelectionBar {...{ selection: store, list: bulk, rowId, total }} />
            </SelectionDock>
          )}
        </div>
      )}
    </ListStates>
  );
}
