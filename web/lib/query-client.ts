// How data is fetched, kept and tried again.
import { QueryClient } from '@tanstack/react-query';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // supabase-js repeats reads that got no answer (after 1, 2 and 4 s); a refusal stays a refusal.
        retry: false,
        // Without a network a list says so at once, instead of loading for ever.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}
