import { createRoute, redirect } from '@tanstack/react-router';
import { adminRoute } from './admin-route.ts';
import { moneyRoutes } from './money-routes.ts';
import { officeRoutes } from './office-routes.ts';
import { operationsRoutes } from './operations-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { placeRoutes } from './place-routes.ts';

const unknownRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/admin', replace: true });
  },
});

export const adminRoutes = adminRoute.addChildren([
  ...officeRoutes,
  ...operationsRoutes,
  ...peopleRoutes,
  ...moneyRoutes,
  ...placeRoutes,
  unknownRoute,
]);
