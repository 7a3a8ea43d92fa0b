// Routes of the staff portal. The router preloads only the portal itself (`lazyRouteComponent`), so that the sign-in screen doesn't
// wait for the screens behind it.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type ComponentType, lazy } from 'react';
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

const page = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }));

const screen = <const Path extends string>(path: Path, load: () => Promise<ComponentType>) =>
  createRoute({ getParentRoute: () => staffRoute, path, component: page(load) });

const shiftsRoute = screen('/shifts', async () => (await import('./own-records.tsx')).ShiftsScreen);
const reportRoute = screen('/report', async () => (await import('./own-records.tsx')).ReportScreen);
const meRoute = screen('/me', async () => (await import('./me-screen.tsx')).MeScreen);
const attendanceRoute = screen(
  '/attendance',
  async () => (await import('./own-records.tsx')).AttendanceScreen,
);
const certificationsRoute = screen(
  '/certifications',
  async () => (await import('./own-records.tsx')).CertificationsScreen,
);

const payslipsRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/payslips',
  /** `open`: id of the payroll record to show. */
  validateSearch: ({ open }): { open?: string } => (typeof open === 'string' ? { open } : {}),
  component: page(async () => (await import('./own-records.tsx')).PayslipsScreen),
});

const timesheetRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/timesheet',
  /** `from`: first day of the shown period, yyyy-MM-dd. */
  validateSearch: ({ from }): { from?: string } => (typeof from === 'string' ? { from } : {}),
  component: page(async () => (await import('./timesheet-screen.tsx')).TimesheetScreen),
});

const waitingRoute = screen(
  '/waiting',
  async () => (await import('./own-records.tsx')).WaitingScreen,
);
const openShiftsRoute = screen(
  '/open-shifts',
  async () => (await import('./own-wishes.tsx')).OpenShiftsScreen,
);
const musterRoute = screen(
  '/muster',
  async () => (await import('./muster-screen.tsx')).MusterScreen,
);
const bookRoute = screen('/book', async () => (await import('./book-screen.tsx')).StaffBookScreen);
const noticesRoute = screen(
  '/notices',
  async () => (await import('./own-wishes.tsx')).NoticesScreen,
);
const announcementsRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: '/announcements',
  /** `open`: id of the announcement to show. */
  validateSearch: ({ open }): { open?: string } => (typeof open === 'string' ? { open } : {}),
  component: page(async () => (await import('./own-wishes.tsx')).AnnouncementsScreen),
});
const availabilityRoute = screen(
  '/availability',
  async () => (await import('./own-wishes.tsx')).AvailabilityScreen,
);
const calendarRoute = screen(
  '/calendar',
  async () => (await import('./own-wishes.tsx')).CalendarScreen,
);

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
  bookRoute,
  noticesRoute,
  announcementsRoute,
  availabilityRoute,
  calendarRoute,
]);
