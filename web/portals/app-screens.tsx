// Shows the screen that the address names. What the admin portal needs is loaded when its first address is opened.
import { Suspense, useCallback, useState } from 'react';
import { ScreenFailure } from '#web/components/layout/screen-failure.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { lazily } from '#web/lib/render/lazily.tsx';
import { FirstApp, loadFirstApp } from './first-app.tsx';
import { loadStaffHome } from './staff/routes.ts';

const isAdmin = /^\/admin(\/|$)/.test(location.pathname);
export const isStaffHome = /^\/staff\/?$/.test(location.pathname);

const unreachable = (error: unknown) => () => (
  <ScreenFailure error={error} onRetry={() => location.reload()} />
);

const FullApp = lazily(() => import('./full-app.tsx').then(({ FullApp }) => FullApp, unreachable));

/**
 * Loads the screen that the address names.
 * @param isSignedIn whether its person will see it, and not a sign-in
 */
export async function loadFirstScreen(isSignedIn: boolean): Promise<void> {
  if (isAdmin) {
    const [{ loadRoute }] = await Promise.all([import('./full-app.tsx'), FullApp.load()]);
    await loadRoute();
    return;
  }
  await Promise.all([loadFirstApp(), isSignedIn && isStaffHome && loadStaffHome()]);
}

export function AppScreens() {
  const [isFull, setFull] = useState(isAdmin);
  const open = useCallback(() => setFull(true), []);
  if (!isFull) return <FirstApp onAdmin={open} />;
  return (
    <Suspense fallback={<Loading className="min-h-dvh" />}>
      <FullApp />
    </Suspense>
  );
}
