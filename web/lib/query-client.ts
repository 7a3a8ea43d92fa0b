// How data is fetched, kept and tried again.
import { QueryClient } from '@tanstack/react-query';
import { isConnectionError } from './errors.ts';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Only what got no answer is worth repeating; a refusal stays a refusal.
        retry: (failures, error) => failures < 2 && isConnectionError(error),
        // Without a network a list says so at once, instead of loading for ever.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}
