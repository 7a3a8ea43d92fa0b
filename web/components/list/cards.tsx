import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { CARDS_STEP, type Page } from '#web/lib/data/pages.ts';
import { ListStates } from './list-states.tsx';

/** Cards of the first render, enough to fill most screens; the others follow in a deferred render. */
const FIRST_CARDS = 6;

type CardGridProps<Row> = {
  /** For screen readers. */
  label?: string | undefined;
  rows: Row[];
  renderCard: (row: Row) => ReactNode;
};

export function CardGrid<Row extends { id: string }>(props: CardGridProps<Row>) {
  const rendered = useDeferredValue(props.rows.length, FIRST_CARDS);
  return (
    <ul
      aria-label={props.label}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,21rem),1fr))] gap-4"
    >
      {props.rows.slice(0, rendered).map((row) => (
        <li key={row.id} className="min-w-0">
          {props.renderCard(row)}
        </li>
      ))}
    </ul>
  );
}

export type CardsProps<Row> = Omit<CardGridProps<Row>, 'rows'> & {
  query: UseQueryResult<Page<Row>>;
  /** For example "Loading clients..." */
  loading: string;
  /** Shown instead of the cards: what is missing, and how to add it. */
  empty: ReactNode;
  /** Title of the toast when loading fails. */
  failure?: string;
};

type GrowingCardsProps<Row> = CardsProps<Row> & {
  /** On the button that loads the next ones, for example "Show older expenses". */
  moreLabel: string;
  /** How many are asked for now. */
  shown: number;
  onChange: ChangeSearch<{ shown?: number | undefined }>;
};

type MoreCardsProps<Row> = CardGridProps<Row> & {
  total: number;
  moreLabel: string;
  /** While more are loaded; not during a live refetch, where the press would be lost. */
  busy: boolean;
  onMore: () => void;
};

/** Cards, and a button that shows more of them below. */
export function MoreCards<Row extends { id: string }>(props: MoreCardsProps<Row>) {
  const { label, rows, renderCard, total, moreLabel, busy, onMore } = props;
  return (
    <>
      <CardGrid label={label} rows={rows} renderCard={renderCard} />
      {rows.length < total && (
        <div className="mt-8 flex flex-wrap items-center justify-center gap-4 print:hidden">
          <p className="text-sm text-muted">
            Showing {rows.length} of {total}
          </p>
          <Button variant="secondary" busy={busy} onClick={onMore}>
            {moreLabel}
          </Button>
        </div>
      )}
    </>
  );
}

/** The newest cards, and a button that shows older ones below them. */
export function GrowingCards<Row extends { id: string }>(props: GrowingCardsProps<Row>) {
  const { query, shown, onChange } = props;
  return (
    <ListStates {...props} isEmpty={({ rows }) => rows.length === 0}>
      {(page) => (
        <MoreCards
          {...props}
          {...page}
          busy={query.isPlaceholderData}
          onMore={() => onChange({ shown: shown + CARDS_STEP })}
        />
      )}
    </ListStates>
  );
}
