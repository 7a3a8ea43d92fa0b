// The page of the clients' portal, an entry of its own: it loads neither the router, nor supabase-js, nor the outbox.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ToasterPlace } from './components/ui/toaster-place.tsx';
import { myClientsQuery, nowQuery } from './features/portal/client-portal/api.ts';
import { placeHere } from './features/portal/client-portal/places.tsx';
import { onSessionChange, openSession } from './features/portal/client-portal/session.ts';
import { ignoreSecondPresses } from './lib/app/second-press.ts';
import { refetchEvery, retryOnResponse } from './lib/cache/network-retry.ts';
import { markMissingFiles } from './lib/errors/missing-file.ts';
import { ClientPortal } from './portals/client/client-portal.tsx';
import './styles/client.css';

const root = document.getElementById('app');
if (!root) throw new Error('The page has no #app.');

ignoreSecondPresses();
markMissingFiles();
const queryClient = new QueryClient({
  defaultOptions: {
    // postgrest-js retries reads that got no response. Offline, a screen must show its error and not load forever.
    queries: { retry: false, networkMode: 'always', refetchInterval: refetchEvery() },
    mutations: { networkMode: 'always' },
  },
});
retryOnResponse(queryClient);
// The next user of this browser must not see what this one has read.
onSessionChange((user, previous) => {
  if (previous !== undefined && user !== previous) queryClient.clear();
  if (user === undefined) return;
  // Requests the first screen's rows at once, not when it is rendered.
  void queryClient.prefetchQuery(myClientsQuery);
  if (placeHere() === '/client') void queryClient.prefetchQuery(nowQuery);
});
// The portal renders a failure.
openSession().catch(() => undefined);
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ClientPortal />
    </QueryClientProvider>
    <ToasterPlace />
  </StrictMode>,
);
