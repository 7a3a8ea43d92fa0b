// Routes of the portal of clients.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { lazy } from 'react';
import { rootRoute } from '#web/portals/router-options.tsx';

const clientRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/client',
  component: lazyRouteComponent(() => import('./client-portal.tsx'), 'ClientPortal'),
});

const nowRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: '/',
  component: lazy(async () => ({
    default: (await import('#web/features/client-portal/now-screen.tsx')).NowScreen,
  })),
});

const coverageRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: '/coverage',
  component: lazy(async () => ({
    default: (await import('#web/features/client-portal/coverage-screen.tsx')).CoverageScreen,
  })),
});

const writeRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: '/write',
  component: lazy(async () => ({
    default: (await import('#web/features/client-portal/write-screen.tsx')).WriteScreen,
  })),
});

export const clientRoutes = clientRoute.addChildren([nowRoute, coverageRoute, writeRoute]);
