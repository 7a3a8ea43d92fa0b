import { QueryClient } from '@tanstack/react-query';
import { backend } from '../supabase/client.ts';

/** `meta` of queries whose data is stored on the device, for the same user to see offline. */
export const PERSISTED = { isPersisted: true } as const;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // supabase-js already retries reads that got no response (after 1, 2 and 4 s). Errors from the server are final.
      retry: false,
      // Offline, a list must show its error and not load forever.
      networkMode: 'always',
      refetchOnReconnect: true,
      // Screens may render cached data before the client is open; fetches wait for it.
      persister: async (fetchData, context) => {
        await backend.openIfSignedIn();
        return fetchData(context);
      },
    },
    mutations: { networkMode: 'always' },
  },
});
