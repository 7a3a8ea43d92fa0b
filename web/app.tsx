import { onlineManager, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Failure } from './components/layout/screen.tsx';
import { UpdateBar } from './components/layout/update-bar.tsx';
import { Loading } from './components/ui/loading.tsx';
import { ToasterPlace } from './components/ui/toaster-place.tsx';
import { listenForInstall } from './lib/app/install.ts';
import { ignoreSecondPresses } from './lib/app/second-press.ts';
import { keepUpToDate } from './lib/app/updates.ts';
import { queryClient } from './lib/cache/query-client.ts';
import { describeError } from './lib/errors/error-message.ts';
import { markMissingFiles } from './lib/errors/missing-file.ts';
import { keepStaticForm } from './lib/render/static-form.ts';
import { AuthProvider } from './lib/session/auth-provider.tsx';
import { backend } from './lib/supabase/client.ts';
import { AppScreens } from './portals/app-screens.tsx';
import { prepareFirstScreen } from './portals/prepare-first-screen.ts';
import './styles/app.css';

/** Renders its children once the configuration of the backend is loaded. */
function WhenConnected({ children }: { children: ReactNode }) {
  const connection = useQuery({
    queryKey: ['connection'],
    queryFn: () => backend.connect().then(() => true),
    // Mostly connected before the first render.
    initialData: () => backend.isConnected || undefined,
    retry: 2,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  if (connection.data) return children;
  if (!connection.isError) return <Loading className="min-h-dvh" />;
  return (
    <Failure
      title="The portal could not be opened"
      message={describeError(connection.error)}
      onRetry={() => connection.refetch()}
    />
  );
}

const root = document.getElementById('app');
if (!root) throw new Error('The page has no #app.');

ignoreSecondPresses();
listenForInstall();
markMissingFiles();
keepUpToDate();
// Until an event it assumes a network: a page opened without one would not refetch when the network returns.
onlineManager.setOnline(navigator.onLine);
const app = (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <WhenConnected>
        <AuthProvider>
          <AppScreens />
        </AuthProvider>
      </WhenConnected>
    </QueryClientProvider>
    <UpdateBar />
    <ToasterPlace />
  </StrictMode>
);
const indicator = root.querySelector('[data-opening]') ? 'indicator' : undefined;
const shown = keepStaticForm(root) ? 'form' : indicator;
void prepareFirstScreen(queryClient, shown).then(() => createRoot(root).render(app));
