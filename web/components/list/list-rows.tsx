import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Below } from '#web/components/ui/below.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { isKnown } from '#web/lib/cache/is-known.ts';
import { CARDS_STEP, type Page } from '#web/lib/data/pages.ts';
import { inSentence } from '#web/lib/format/letter-case.ts';
import { lazily } from '#web/lib/render/lazily.tsx';
import { GrowingCards } from './cards.tsx';
import type { Addressed, Filter } from './filters.tsx';
import type { RowSource } from './list-actions.ts';
import { ClearFilters, ListToolbar } from './list-toolbar.tsx';
import { PagedCards } from './paged-cards.tsx';
import type { TableOptions, TableRows } from './table-rows.tsx';

const EmptyList = lazily(async () => (await import('./empty-list.tsx')).EmptyList);

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
  /** For example "leave requests". */
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
  /** Shown when none match; default "No leave requests match. Change the search or the filters." */
  noMatch?: string;
  /** Title of the toast when loading fails. */
  failure?: string;
  /** Further buttons, beside the filters. */
  toolbar?: ReactNode;
  /** Between the toolbar and the rows. */
  notice?: ReactNode;
  /** The notice's query, where the rows wait for it. */
  noticeQuery?: UseQueryResult | undefined;
} & (
    | ({
        /** Given by the lists that are tables, so that lists of cards don't load it. */
        Table: typeof TableRows;
        card?: undefined;
      } & TableOptions<Row>)
    | ({ Table?: undefined; columns?: undefined } & CardOptions<Row>)
  );

const numberOf = <Otherwise,>(value: unknown, otherwise: Otherwise) =>
  typeof value === 'number' ? value : otherwise;

function noMatchOf(noun: string, filters: number): string {
  const what = filters === 0 ? '' : ` or the ${filters === 1 ? 'filter' : 'filters'}`;
  return `No ${noun} match. Change the search${what}.`;
}

export function ListRows<Row extends { id: string }>(props: ListRowsProps<Row>) {
  const { search, onChange, query, noun, filters = [] } = props;
  const { isSearched, searchLabel = isSearched ? `Search ${noun}` : undefined } = props;
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
      <LazyPart fallback={`No ${noun} yet.`}>
        <EmptyList noun={noun} />
      </LazyPart>
    ),
  };
  const above = props.noticeQuery ? [props.noticeQuery] : [];
  return (
    <>
      <ListToolbar {...{ search, onChange, searchLabel, filters }} order={props.order}>
        {props.toolbar}
      </ListToolbar>
      {props.notice}
      {!above.every(isKnown) && <Loading text={list.loading} />}
      <Below queries={above}>
        {props.Table ? (
          <props.Table
            {...list}
            columns={props.columns}
            actions={props.actions}
            bulk={props.bulk && props.source && { ...props.bulk, ...props.source }}
            dense={props.dense}
            room={props.room}
            isUsuallyCards={props.isUsuallyCards}
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
      </Below>
    </>
  );
}
