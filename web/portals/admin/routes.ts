// The addresses of the admin portal. A new screen: a route here, its icon in navigation.ts.
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { enquirySearch } from '#web/features/enquiries/schema.ts';
import { rootRoute } from '../root-route.ts';

const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin',
  component: lazyRouteComponent(() => import('./admin-portal.tsx'), 'AdminPortal'),
});

const deploymentsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./deployments-screen.tsx'), 'DeploymentsScreen'),
});

const enquiriesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/enquiries',
  validateSearch: enquirySearch,
  component: lazyRouteComponent(() => import('./enquiries-screen.tsx'), 'EnquiriesScreen'),
});

const unknownRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/admin', replace: true });
  },
});

export const adminRoutes = adminRoute.addChildren([deploymentsRoute, enquiriesRoute, unknownRoute]);
