import type { UseQueryResult } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useMemo } from 'react';
import { CARDS_STEP, type Page } from '#web/lib/data/pages.ts';
import { inSentence } from '#web/lib/format/letter-case.ts';
import { GrowingCards } from './cards.tsx';
import { actionsColumn, type Column } from './columns.tsx';
import { type Addressed, ClearFilters, type Filter, ListToolbar } from './filters.tsx';
import type { BulkActions, RowSource } from './list-actions.ts';
import { PagedCards } from './paged-cards.tsx';
import { PagedTable } from './paged-table.tsx';
import type { Totals } from './totals.tsx';

/** All stable, because the columns are memoized with them. */
export type RowActions<Row> = {
  /** Names the row for screen readers: "Edit Musu Flomo". */
  nameOf: (row: Row) => string;
  onDelete?: (row: Row) => void;
  /** Further buttons, before Edit. */
  more?: (row: Row) => ReactNode;
};

type TableOptions<Row> = {
  columns: Column<Row>[];
  /** A last column with Edit, which opens the row's form, and Delete. */
  actions?: RowActions<Row> | undefined;
  /** What can be done with many rows at once; needs `source`. */
  bulk?: BulkActions<Row> | undefined;
  dense?: boolean | undefined;
  room?: number | undefined;
  totals?: Totals | undefined;
  /** Pressing a row opens its dialog. */
  opens?: boolean | undefined;
};

type CardOptions<Row> = {
  card: (row: Row) => ReactNode;
  /** For a list that grows instead of having pages, for example "Show older expenses". */
  moreLabel?: string;
};

export type ListRowsProps<Row extends { id: string }> = Addressed & {
  query: UseQueryResult<Page<Row>>;
  /** All rows that match the filters. */
  source?: RowSource<Row>;
  /** Rows of a page, unless the user chooses another size. */
  pageSize?: number | undefined;
  /** What the rows are, for example "leave requests". */
  noun: string;
  /** Names the list for screen readers; the noun without it. */
  label?: string;
  /** Whether there is a search field. */
  isSearched?: boolean;
  /** Its label; "Search leave requests" without it. */
  searchLabel?: string;
  filters?: readonly Filter[];
  /** The order of the rows, where no column header sorts them. */
  order?: Filter;
  /** Shown while there are no rows at all; default "No clients yet. Add the first one above." */
  empty?: string;
  /** Shown when none match; default "No leave requests match. Change the search or the filters." */
  noMatch?: string;
  /** Title of the toast when loading fails. */
  failure?: string;
  /** Between the toolbar and the rows. */
  notice?: ReactNode;
} & (
    | ({ columns: Column<Row>[]; card?: undefined } & TableOptions<Row>)
    | ({ columns?: undefined; actions?: undefined } & CardOptions<Row>)
  );

const numberOf = <Otherwise,>(value: unknown, otherwise: Otherwise) =>
  typeof value === 'number' ? value : otherwise;

function noMatchOf(noun: string, filters: number): string {
  const what = filters === 0 ? '' : ` or the ${filters === 1 ? 'filter' : 'filters'}`;
  return `No ${noun} match. Change the search${what}.`;
}

type TableRowsProps<Row extends { id: string }> = TableOptions<Row> &
  Pick<Addressed, 'onChange'> &
  Omit<ComponentProps<typeof PagedTable<Row>>, 'rowId' | 'onOpen' | 'onChange'>;

function TableRows<Row extends { id: string }>(props: TableRowsProps<Row>) {
  const { columns, actions, opens, ...table } = props;
  const { onChange } = props;
  const { nameOf, onDelete, more } = actions ?? {};
  const shown = useMemo(() => {
    if (!nameOf) return columns;
    const last = actionsColumn((row: Row) => ({
      name: nameOf(row),
      onEdit: () => onChange({ open: row.id }),
      onDelete: onDelete && (() => onDelete(row)),
      children: more?.(row),
    }));
    return [...columns, last];
  }, [columns, nameOf, onDelete, more, onChange]);
  return (
    <PagedTable
      {...table}
      columns={shown}
      rowId={({ id }) => id}
      onOpen={opens ? ({ id }) => onChange({ open: id }) : undefined}
    />
  );
}

/** Toolbar and rows of a list, whose state is in the address. */
export function ListRows<Row extends { id: string }>(props: ListRowsProps<Row>) {
  const { search, onChange, query, noun, filters = [] } = props;
  const { isSearched, searchLabel = isSearched ? `Search ${noun}` : undefined } = props;
  const { empty = `No ${noun} yet. Add the first one above.` } = props;
  const page = numberOf(search.page, 1);
  const isNarrowed = page > 1 || ['q', ...filters.map(({ key }) => key)].some((key) => search[key]);
  const list = {
    query,
    onChange,
    page,
    usual: props.pageSize,
    size: numberOf(search.size, props.pageSize),
    loading: `Loading ${noun}...`,
    label: props.label ?? inSentence(noun),
    failure: props.failure,
    empty: isNarrowed ? (
      <>
        {props.noMatch ?? noMatchOf(noun, filters.length)}
        <ClearFilters filters={filters} onChange={onChange} />
      </>
    ) : (
      empty
    ),
  };
  return (
    <>
      <ListToolbar {...{ search, onChange, searchLabel, filters }} order={props.order} />
      {props.notice}
      {props.columns ? (
        <TableRows
          {...list}
          columns={props.columns}
          actions={props.actions}
          bulk={props.bulk && props.source && { ...props.bulk, ...props.source }}
          dense={props.dense}
          room={props.room}
          totals={props.totals}
          opens={props.opens}
          sort={typeof search.sort === 'string' ? search.sort : undefined}
        />
      ) : props.moreLabel ? (
        <GrowingCards
          {...list}
          moreLabel={props.moreLabel}
          shown={numberOf(search.shown, CARDS_STEP)}
          renderCard={props.card}
        />
      ) : (
        <PagedCards {...list} renderCard={props.card} />
      )}
    </>
  );
}
