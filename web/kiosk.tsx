// The page of shared devices, an entry of its own: it loads neither the router nor the session of a user.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ignoreSecondPresses } from './lib/app/second-press.ts';
import { Kiosk } from './portals/kiosk/kiosk.tsx';
import './styles/kiosk.css';

const root = document.getElementById('app');
if (!root) throw new Error('The page has no #app.');
ignoreSecondPresses();
createRoot(root).render(
  <StrictMode>
    <Kiosk />
  </StrictMode>,
);

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const register = () =>
    navigator.serviceWorker
      .register('/kiosk-worker.js', { scope: '/kiosk' })
      .catch((error: unknown) => console.warn('The kiosk won’t open offline:', error));
  if (document.readyState === 'complete') void register();
  else addEventListener('load', () => void register(), { once: true });
}
