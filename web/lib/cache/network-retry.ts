// Queries without a response, or with a proxy's, are refetched by themselves: a phone with a weak signal gets no `online` event.
import { focusManager, type Query, type QueryClient } from '@tanstack/react-query';
import { isConnectionError, isUnavailable } from '../errors/error-message.ts';
import { onResponse } from '../supabase/online.ts';

/** Before the next attempt, by failures in a row. */
const PAUSES_MS = [5_000, 10_000, 20_000];
const LONGEST_PAUSE_MS = 30_000;

type QueryErrors = { state: { error: Error | null; errorUpdateCount: number } };

/** `errorUpdateCount` at the last success, by query. */
const pastErrors = new WeakMap<object, number>();

/**
 * `refetchInterval` of every query: TanStack refetches while a component uses the query and the page is visible.
 * A query that must not be sent twice sets `refetchInterval: false`.
 * @param ms between refetches while they succeed; false: none
 */
export const refetchEvery =
  (ms: number | false = false) =>
  (query: QueryErrors): number | false => {
    const { error, errorUpdateCount } = query.state;
    if (!isConnectionError(error) && !isUnavailable(error)) return ms;
    const failures = errorUpdateCount - (pastErrors.get(query) ?? 0);
    const pause = PAUSES_MS[failures - 1] ?? LONGEST_PAUSE_MS;
    return ms === false ? pause : Math.min(ms, pause);
  };

/**
 * Keeps the error of a query on screen while it is refetched, where TanStack would return to loading, and refetches queries
 * without a response as soon as another request gets one.
 */
export function retryOnResponse(client: QueryClient): void {
  const shown = new Map<Query, Error>();
  client.getQueryCache().subscribe((event) => {
    const { type, query } = event;
    if (type === 'observerRemoved' && query.getObserversCount() === 0) shown.delete(query);
    if (type === 'removed') shown.delete(query);
    if (type !== 'updated') return;
    const { data, error, errorUpdateCount } = query.state;
    if (event.action.type === 'success') {
      pastErrors.set(query, errorUpdateCount);
      shown.delete(query);
    } else if (event.action.type === 'error') {
      if (error && query.getObserversCount() > 0) shown.set(query, error);
    } else if (event.action.type === 'fetch' && data === undefined) {
      const known = shown.get(query);
      if (!known) return;
      query.setState({
        status: 'error',
        error: known,
        fetchFailureCount: 1,
        fetchFailureReason: known,
      });
    }
  });
  onResponse(() => {
    // A page that becomes visible refetches anyway.
    if (shown.size === 0 || !focusManager.isFocused()) return;
    const isRepeated = (query: Query) =>
      isConnectionError(shown.get(query)) &&
      query.observers.some(({ options }) => options.refetchInterval !== false);
    void client.refetchQueries({ type: 'active', predicate: isRepeated }, { cancelRefetch: false });
  });
}
