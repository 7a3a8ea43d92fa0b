// The addresses of the staff portal.
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { rootRoute } from '../root-route.ts';

const staffRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/staff',
  component: lazyRouteComponent(() => import('./staff-portal.tsx'), 'StaffPortal'),
});

const homeRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./home-screen.tsx'), 'HomeScreen'),
});

const attendanceRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/attendance',
  component: lazyRouteComponent(() => import('./attendance-screen.tsx'), 'AttendanceScreen'),
});

const certificationsRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/certifications',
  component: lazyRouteComponent(
    () => import('./certifications-screen.tsx'),
    'CertificationsScreen',
  ),
});

const payslipsRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/payslips',
  component: lazyRouteComponent(() => import('./payslips-screen.tsx'), 'PayslipsScreen'),
});

const waitingRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/waiting',
  component: lazyRouteComponent(() => import('./waiting-screen.tsx'), 'WaitingScreen'),
});

const unknownRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/staff', replace: true });
  },
});

export const staffRoutes = staffRoute.addChildren([
  homeRoute,
  attendanceRoute,
  certificationsRoute,
  payslipsRoute,
  waitingRoute,
  unknownRoute,
]);
