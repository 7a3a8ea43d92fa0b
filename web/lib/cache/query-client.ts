import {
  type FetchQueryOptions,
  MutationCache,
  notifyManager,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { sessionOnDevice } from '../session/device-session.ts';
import { lacksSecondStep } from '../session/stored-session.ts';
import { backend } from '../supabase/client.ts';
import { unlessRefreshFails } from '../supabase/session-fetch.ts';
import { hasEarlyAnswers } from './early-answers.ts';
import { refetchEvery, retryOnResponse } from './network-retry.ts';

/** `meta` of queries whose data is stored on the device, for the same user to see offline. */
export const PERSISTED = { isPersisted: true } as const;

type QueryMeta = {
  isPersisted?: true;
  /** The data, if the page requested it while the code was loading. */
  early?: () => Promise<unknown>;
};

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: QueryMeta;
  }
}

// The default waits for a timer, before which the browser may paint a frame without the data.
notifyManager.setScheduler(queueMicrotask);

/** From the answer to the first render of the screen, on a slow line. */
export const FRESH_MS = 5_000;

/** Queries of which a route has requested the data; the cache drops those that nothing shows. */
const requested = new WeakSet<object>();

export const queryClient = new QueryClient({
  mutationCache: new MutationCache({
    // Early rows are on the screen, with their buttons, before the client is open.
    onMutate: () => (hasEarlyAnswers() ? backend.openIfSignedIn() : undefined),
  }),
  defaultOptions: {
    queries: {
      // supabase-js already retries reads that got no response (after 1, 2 and 4 s). Errors from the server are final.
      retry: false,
      // Offline, a list must show its error and not load forever.
      networkMode: 'always',
      refetchOnReconnect: true,
      refetchInterval: refetchEvery(),
      // The screen that opens doesn't fetch again what its route has requested.
      staleTime: (query) => (requested.has(query) ? FRESH_MS : 0),
      // Screens may render cached data before the client is open; fetches wait for it.
      persister: async (fetchData, context) => {
        const early = await context.meta?.early?.();
        if (early !== undefined) return early;
        await backend.openIfSignedIn();
        return unlessRefreshFails(backend.config.supabaseUrl, () => fetchData(context));
      },
    },
    mutations: { networkMode: 'always' },
  },
});

retryOnResponse(queryClient);

/** Requests the data of a query, with exactly the options that the screen uses. @returns when there is an answer */
export type RequestRows = <Data, Key extends QueryKey>(
  options: FetchQueryOptions<Data, Error, Data, Key>,
) => Promise<void>;

export const requestRows: RequestRows = async (options) => {
  const session = sessionOnDevice();
  if (!session || lacksSecondStep(session)) return;
  // Errors stay in the query, and its screen shows them.
  const answered = queryClient.prefetchQuery({ ...options, staleTime: 0 });
  const query = queryClient.getQueryCache().find({ queryKey: options.queryKey });
  if (query) requested.add(query);
  await answered;
};
