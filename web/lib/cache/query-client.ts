// How data is fetched, kept and tried again.
import { QueryClient } from '@tanstack/react-query';
import { whoIsSignedInIsReady } from '../supabase/client.ts';

/** Marks a query whose answer stays on the device, to be seen without a network by the person who loaded it. */
export const KEPT = { isKept: true } as const;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // supabase-js repeats reads that got no answer (after 1, 2 and 4 s); a refusal stays a refusal.
      retry: false,
      // Without a network a list says so at once, instead of loading for ever.
      networkMode: 'always',
      refetchOnReconnect: true,
      // Screens may be drawn from what is kept on the device before the client is there.
      persister: async (ask, context) => {
        await whoIsSignedInIsReady();
        return ask(context);
      },
    },
    mutations: { networkMode: 'always' },
  },
});
