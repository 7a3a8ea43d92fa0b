// The app in two routers: a small one without the admin portal, whose routes alone are as large as the rest, and the full one,
// loaded when an admin URL is opened.
import { createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { createContext, Suspense, use, useCallback, useEffect, useState } from 'react';
import { ScreenFailure } from '#web/components/layout/screen.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { lazily } from '#web/lib/render/lazily.tsx';
import { firstRoutes } from './first-routes.ts';
import { rootRoute, routerOptions } from './router-options.tsx';
import { loadStaffHome } from './staff/routes.ts';

const OpenAdminContext = createContext<() => void>(() => undefined);

function OpenAdmin() {
  const open = use(OpenAdminContext);
  useEffect(open, [open]);
  return <Loading className="min-h-dvh" />;
}

const adminPaths = ['/admin', '/admin/$'].map((path) =>
  createRoute({ getParentRoute: () => rootRoute, path, component: OpenAdmin }),
);

const createFirstRouter = () =>
  createRouter({
    ...routerOptions,
    routeTree: rootRoute.addChildren([...firstRoutes, ...adminPaths]),
  });

let router: ReturnType<typeof createFirstRouter> | undefined;

/** Created when it is first used, which takes 0.05 s on a slow computer: a page of the office never uses it. */
function firstRouter() {
  router ??= createFirstRouter();
  return router;
}

const loadFirstApp = () => firstRouter().load();

/** @param onAdmin called when an admin URL is opened; must be a stable function */
function FirstApp({ onAdmin }: { onAdmin: () => void }) {
  return (
    <OpenAdminContext value={onAdmin}>
      <RouterProvider router={firstRouter()} />
    </OpenAdminContext>
  );
}

const isAdmin = /^\/admin(\/|$)/.test(location.pathname);
export const isStaffHome = /^\/staff\/?$/.test(location.pathname);

const loadFailure = (error: unknown) => () => (
  <ScreenFailure error={error} onRetry={() => location.reload()} />
);

const FullApp = lazily(() => import('./full-app.tsx').then(({ FullApp }) => FullApp, loadFailure));

async function loadSignIn(): Promise<void> {
  const { PortalSignIn } = await import('#web/features/rights/auth/require-session.tsx');
  await PortalSignIn.load();
}

/**
 * Loads the code of the screen at the current URL.
 * @param isSignedIn whether that screen will be shown, and not the sign-in
 */
export async function loadFirstScreen(isSignedIn: boolean): Promise<void> {
  const signIn = isSignedIn ? undefined : loadSignIn();
  if (isAdmin) {
    const [{ loadRoute }] = await Promise.all([import('./full-app.tsx'), FullApp.load()]);
    await loadRoute();
  } else {
    await Promise.all([loadFirstApp(), isSignedIn && isStaffHome && loadStaffHome()]);
  }
  await signIn;
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
