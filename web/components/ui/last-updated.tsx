// How old something is, while it could not be loaded again or that still takes its time.
import type { UseQueryResult } from '@tanstack/react-query';
import { formatDateTime } from '#web/lib/format/dates.ts';

/** What is younger needs no word about its age. */
const RECENT_MS = 60_000;

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
