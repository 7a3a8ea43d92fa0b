// The app without the admin portal, whose addresses alone are as large as the rest: what a guard's phone loads first.
// Shows the screen that the address names. What the admin portal needs is loaded when its first address is opened.
import { createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { createContext, Suspense, use, useCallback, useEffect, useState } from 'react';
import { ScreenFailure } from '#web/components/layout/screen.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { lazily } from '#web/lib/render/lazily.tsx';
import { firstRoutes } from './first-routes.ts';
import { rootRoute, routerOptions } from './router-options.tsx';
import { loadStaffHome } from './staff/routes.ts';

const AdminDoor = createContext<() => void>(() => undefined);

function OpenAdmin() {
  const open = use(AdminDoor);
  useEffect(open, [open]);
  return <Loading className="min-h-dvh" />;
}

const adminPaths = ['/admin', '/admin/$'].map((path) =>
  createRoute({ getParentRoute: () => rootRoute, path, component: OpenAdmin }),
);

const router = createRouter({
  ...routerOptions,
  routeTree: rootRoute.addChildren([...firstRoutes, ...adminPaths]),
});

/** Loads the screen that the address names. */
export const loadFirstApp = () => router.load();

/** @param onAdmin called when an address of the admin portal is opened; must stay the same function */
export function FirstApp({ onAdmin }: { onAdmin: () => void }) {
  return (
    <AdminDoor value={onAdmin}>
      <RouterProvider router={router} />
    </AdminDoor>
  );
}

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
