// The app without the admin portal, whose addresses alone are as large as the rest: what a guard's phone loads first.
import { createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { createContext, use, useEffect } from 'react';
import { Loading } from '#web/components/ui/loading.tsx';
import { firstRoutes } from './first-routes.ts';
import { rootRoute } from './root-route.ts';
import { routerOptions } from './router-options.tsx';

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
