import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminRoute } from './admin-route.ts';

const siteRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/sites/$id',
  component: lazyRouteComponent(() => import('../place-screens.tsx'), 'SiteScreen'),
});

const clientRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/clients/$id',
  component: lazyRouteComponent(() => import('../place-screens.tsx'), 'ClientScreen'),
});

export const placeRoutes = [siteRoute, clientRoute] as const;
