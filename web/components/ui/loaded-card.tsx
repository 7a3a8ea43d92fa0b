import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { Card } from './card.tsx';
import { Loading } from './loading.tsx';
import { RetryButton } from './retry-button.tsx';
import { useLoadFailure } from './use-load-failure.ts';

/** Below this age nothing is shown. */
const RECENT_MS = 60_000;

/** Age of the data while it could not be refetched, or that takes long. */
export function LastUpdated({ query }: { query: UseQueryResult }) {
  const { data, isError, isFetching, dataUpdatedAt } = query;
  if (data === undefined || !(isError || isFetching)) return null;
  if (!isError && Date.now() - dataUpdatedAt < RECENT_MS) return null;
  const at = new Date(dataUpdatedAt).toISOString();
  return (
    <p className="text-sm text-muted">
      Last updated <time dateTime={at}>{formatDateTime(at)}</time>
    </p>
  );
}

type LoadedCardProps<Data> = {
  title: string;
  /** 1 if the card is the whole screen. */
  level?: 1 | 2;
  query: UseQueryResult<Data>;
  loadingText: string;
  /** Replaces the content if the data is null or an empty array. Without it, the content is always shown. */
  emptyText?: string;
  /** A link to the screen with all of it. */
  more?: ReactNode;
  children: (data: Data) => ReactNode;
};

const isEmpty = (data: unknown) => data === null || (Array.isArray(data) && data.length === 0);

/** A card in every state of its query. Data stays visible when a refetch fails, with its age. */
export function LoadedCard<Data>(props: LoadedCardProps<Data>) {
  const { title, query, emptyText, level = 2 } = props;
  const Heading = `h${level}` as const;
  const { data } = query;
  const headingId = useId();
  const hasData = data !== undefined;
  const showsContent = hasData && (emptyText === undefined || !isEmpty(data));
  // No toast while the phone knows it is offline: the age of the cached data says enough.
  const { reason, retry } = useLoadFailure(
    query,
    navigator.onLine || !hasData ? 'Error' : undefined,
  );

  return (
    <section aria-labelledby={headingId}>
      <Card>
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-3.5 sm:px-5">
          <Heading id={headingId} className="font-display text-xl leading-tight">
            {title}
          </Heading>
          <LastUpdated query={query} />
          {props.more}
        </div>
        {!hasData && reason === undefined && <Loading text={props.loadingText} className="py-10" />}
        {!hasData && reason !== undefined && (
          <div className="grid justify-items-start gap-3 px-4 py-5 sm:px-5">
            <p className="text-muted">{reason}</p>
            <RetryButton onRetry={retry} />
          </div>
        )}
        {hasData && !showsContent && (
          <p className="px-4 py-7 text-center text-muted">{emptyText}</p>
        )}
        {showsContent && props.children(data)}
      </Card>
    </section>
  );
}

type LoadedListProps<Row> = Omit<LoadedCardProps<Row[]>, 'children'> & {
  /** The list item of a row, with a key. */
  children: (row: Row) => ReactNode;
};

export function LoadedList<Row>({ children, ...card }: LoadedListProps<Row>) {
  return (
    <LoadedCard {...card}>
      {(rows) => (
        <ul aria-label={card.title} className="divide-y divide-line">
          {rows.map(children)}
        </ul>
      )}
    </LoadedCard>
  );
}
