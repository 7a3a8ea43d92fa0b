import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query';
import { backend } from '../supabase/client.ts';
import { earlyStaleTime, hasEarlyAnswers } from './early-answers.ts';
import { requestedStaleTime } from './first-rows.ts';
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
      staleTime: (query) =>
        Math.max(requestedStaleTime(query), query.meta?.early ? earlyStaleTime() : 0),
      // Screens may render cached data before the client is open; fetches wait for it.
      persister: async (fetchData, context) => {
        const early = await context.meta?.early?.();
        if (early !== undefined) return early;
        await backend.openIfSignedIn();
        return fetchData(context);
      },
    },
    mutations: { networkMode: 'always' },
  },
});

retryOnResponse(queryClient);
