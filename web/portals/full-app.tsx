// The app with all routes.
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { adminRoutes } from './admin/routes/routes.ts';
import { firstRoutes } from './first-routes.ts';
import { rootRoute, routerOptions } from './router-options.tsx';

const router = createRouter({
  ...routerOptions,
  routeTree: rootRoute.addChildren([...firstRoutes, adminRoutes]),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Loads the code of the screen at the current URL. */
export const loadRoute = () => router.load();

export function FullApp() {
  return <RouterProvider router={router} />;
}
