// Requests the rows of a screen at the click on its link, or when the pointer rests on it, while the screen's code is
// loading. The screen's own query then finds them in the cache.
import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query';
import { sessionOnDevice } from '../session/device-session.ts';
import { lacksSecondStep } from '../session/stored-session.ts';

/** From the request to the first render of the screen, on a slow line. */
const FRESH_MS = 5_000;

type Request = {
  /** By the page's clock, milliseconds. */
  at: number;
  /** Whether its screen has been opened since. */
  isUsed: boolean;
};

/** By query; the cache drops queries that nothing shows. */
const requests = new WeakMap<object, Request>();

function freshRequest(query: object): Request | undefined {
  const request = requests.get(query);
  return request && performance.now() - request.at < FRESH_MS ? request : undefined;
}

/** `staleTime` of every query: a screen doesn't fetch again what was requested at the click. */
export const requestedStaleTime = (query: object): number => (freshRequest(query) ? FRESH_MS : 0);

/** Requests the data of a query, with exactly the options that the screen uses. */
export type RequestRows = <Data, Key extends QueryKey>(
  options: FetchQueryOptions<Data, Error, Data, Key>,
) => void;

/** @param isOpening whether the screen opens now; otherwise it only may be opened soon */
export function rowsRequester(queryClient: QueryClient, isOpening: boolean): RequestRows {
  return (options) => {
    const session = sessionOnDevice();
    if (!session || lacksSecondStep(session)) return;
    const cache = queryClient.getQueryCache();
    const known = cache.find({ queryKey: options.queryKey });
    const pending = known && freshRequest(known);
    // Rows that an earlier visit of the screen has used are out of date.
    if (pending && !pending.isUsed) {
      pending.isUsed = isOpening;
      return;
    }
    if (known) requests.delete(known);
    // Errors stay in the query, and its screen shows them.
    void queryClient.prefetchQuery(options);
    const query = cache.find({ queryKey: options.queryKey });
    if (query) requests.set(query, { at: performance.now(), isUsed: isOpening });
  };
}
