// Routes outside the admin portal. Each portal's code loads when it is first opened; the public site is a page of its own.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { START_CODE_PATH } from '#shared/app-paths.ts';
import { rootRoute } from './router-options.tsx';
import { staffRoutes } from './staff/routes.ts';

const authRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth',
  component: lazyRouteComponent(() => import('./auth/auth-screen.tsx'), 'AuthScreen'),
});

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: START_CODE_PATH,
  component: lazyRouteComponent(() => import('./auth/auth-screen.tsx'), 'StartScreen'),
});

const newPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/new-password',
  validateSearch: ({ next }): { next?: string } => (typeof next === 'string' ? { next } : {}),
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
  validateSearch: ({ q }): { q?: string } => (typeof q === 'string' && q ? { q } : {}),
  component: lazyRouteComponent(() => import('./tracker/tracker.tsx'), 'Tracker'),
});

export const firstRoutes = [
  authRoute,
  startRoute,
  newPasswordRoute,
  accountRoute,
  staffRoutes,
  trackerRoute,
] as const;
