// The addresses of the app. Each portal is loaded when it is first opened; the public site is a page of its own.
import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { z } from 'zod';
import { Failure } from '#web/components/layout/failure.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { messageOf } from '#web/lib/errors.ts';
import { adminRoutes } from './admin/routes.ts';
import { NotFound } from './not-found.tsx';
import { rootRoute } from './root-route.ts';
import { staffRoutes } from './staff/routes.ts';

const authRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth',
  component: lazyRouteComponent(() => import('./auth/auth-screen.tsx'), 'AuthScreen'),
});

const newPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/new-password',
  validateSearch: z.object({ next: z.string().optional().catch(undefined) }),
  component: lazyRouteComponent(
    () => import('./auth/new-password-screen.tsx'),
    'NewPasswordScreen',
  ),
});

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./account/account-screen.tsx'), 'AccountScreen'),
});

const trackerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deployments',
  component: lazyRouteComponent(() => import('./tracker/tracker.tsx'), 'Tracker'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    authRoute,
    newPasswordRoute,
    accountRoute,
    staffRoutes,
    trackerRoute,
    adminRoutes,
  ]),
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: () => <Loading className="min-h-dvh" />,
  defaultErrorComponent: ({ error, reset }) => (
    <Failure title="This screen could not be shown" message={messageOf(error)} onRetry={reset} />
  ),
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
