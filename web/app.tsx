import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { UpdateBar } from './components/layout/update-bar.tsx';
import { ToasterPlace } from './components/ui/toaster-place.tsx';
import { listenForInstall } from './lib/app/install.ts';
import { keepUpToDate } from './lib/app/updates.ts';
import { queryClient } from './lib/cache/query-client.ts';
import { markMissingFiles } from './lib/errors/missing-file.ts';
import { AuthProvider } from './lib/session/auth-provider.tsx';
import { AppScreens } from './portals/app-screens.tsx';
import { WhenConnected } from './portals/connecting.tsx';
import { prepareFirstScreen } from './portals/prepare-first-screen.ts';
import './styles/app.css';

const root = document.getElementById('app');
if (!root) throw new Error('The page has no #app.');

listenForInstall();
markMissingFiles();
keepUpToDate();
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
void prepareFirstScreen(queryClient).then(() => createRoot(root).render(app));
