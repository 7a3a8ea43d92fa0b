// Routes of the staff portal. The router preloads only the portal itself (`lazyRouteComponent`), so that the sign-in screen doesn't
// wait for the screens behind it.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { lazy } from 'react';
import { lazily } from '#web/lib/render/lazily.tsx';
import { rootRoute } from '#web/portals/router-options.tsx';

const staffRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/staff',
  component: lazyRouteComponent(() => import('./staff-portal.tsx'), 'StaffPortal'),
});

const HomeScreen = lazily(async () => (await import('./home-screen.tsx')).HomeScreen);

const homeRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/',
  component: HomeScreen,
});

/** Loads the code of the home screen for a signed-in user. */
export async function loadStaffHome(): Promise<void> {
  const portal = import('./staff-portal.tsx').then(({ StaffShell }) => StaffShell.load());
  await Promise.all([portal, HomeScreen.load()]);
}

const shiftsRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/shifts',
  component: lazy(async () => ({ default: (await import('./own-records.tsx')).ShiftsScreen })),
});

const reportRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/report',
  component: lazy(async () => ({ default: (await import('./own-records.tsx')).ReportScreen })),
});

const meRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/me',
  component: lazy(async () => ({ default: (await import('./me-screen.tsx')).MeScreen })),
});

const attendanceRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/attendance',
  component: lazy(async () => ({
    default: (await import('./own-records.tsx')).AttendanceScreen,
  })),
});

const certificationsRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/certifications',
  component: lazy(async () => ({
    default: (await import('./own-records.tsx')).CertificationsScreen,
  })),
});

const payslipsRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/payslips',
  /** `open`: id of the payroll record to show. */
  validateSearch: ({ open }): { open?: string } => (typeof open === 'string' ? { open } : {}),
  component: lazy(async () => ({
    default: (await import('./own-records.tsx')).PayslipsScreen,
  })),
});

const timesheetRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/timesheet',
  /** `from`: first day of the shown period, yyyy-MM-dd. */
  validateSearch: ({ from }): { from?: string } => (typeof from === 'string' ? { from } : {}),
  component: lazy(async () => ({
    default: (await import('./timesheet-screen.tsx')).TimesheetScreen,
  })),
});

const waitingRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/waiting',
  component: lazy(async () => ({ default: (await import('./own-records.tsx')).WaitingScreen })),
});

const openShiftsRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/open-shifts',
  component: lazy(async () => ({
    default: (await import('./own-wishes.tsx')).OpenShiftsScreen,
  })),
});

const musterRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/muster',
  component: lazy(async () => ({ default: (await import('./muster-screen.tsx')).MusterScreen })),
});

const noticesRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/notices',
  component: lazy(async () => ({
    default: (await import('./own-wishes.tsx')).NoticesScreen,
  })),
});

const availabilityRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/availability',
  component: lazy(async () => ({
    default: (await import('./own-wishes.tsx')).AvailabilityScreen,
  })),
});

const calendarRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/calendar',
  component: lazy(async () => ({
    default: (await import('./own-wishes.tsx')).CalendarScreen,
  })),
});

export const staffRoutes = staffRoute.addChildren([
  homeRoute,
  shiftsRoute,
  reportRoute,
  meRoute,
  attendanceRoute,
  certificationsRoute,
  payslipsRoute,
  timesheetRoute,
  waitingRoute,
  openShiftsRoute,
  musterRoute,
  noticesRoute,
  availabilityRoute,
  calendarRoute,
]);
