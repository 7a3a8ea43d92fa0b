import { type ActivitySearch, activitySearch } from '#web/features/history/activity/schema.ts';
import { defineRows, list, plain } from './admin-route.ts';

const dashboardRoute = plain(
  '/dashboard',
  'Dashboard',
  async () => (await import('../dashboard-screen.tsx')).DashboardScreen,
  defineRows(
    () => import('#web/features/platform/dashboard/api.ts'),
    ({ datesQuery, figuresQuery, startQuery, workQuery }, request) => {
      request(startQuery);
      request(workQuery);
      request(datesQuery);
      request(figuresQuery);
    },
  ),
);

const todayRoute = plain(
  '/today',
  'Today',
  async () => (await import('../today-screen.tsx')).TodayScreen,
  defineRows(
    () => import('#web/features/platform/dashboard/api.ts'),
    ({ datesQuery, workQuery }, request) => {
      request(workQuery);
      request(datesQuery);
    },
  ),
);

const retentionRoute = plain(
  '/activity/retention',
  'Data Retention',
  async () =>
    (await import('#web/features/privacy/retention/retention-screen.tsx')).RetentionScreen,
);

const activityRoute = list(
  '/activity',
  activitySearch,
  'Activity',
  async () => (await import('#web/features/history/activity/activity-board.tsx')).ActivityBoard,
  {
    rows: defineRows(
      () => import('#web/features/history/activity/api.ts'),
      ({ entriesPage }, request, search: ActivitySearch) => {
        if (search.view !== 'security') request(entriesPage(search));
      },
    ),
    // Back also returns to the page before.
    isStep: (change) => Boolean(change.open || change.before),
    resetsScroll: (change) => change.before !== undefined,
  },
);

const systemRoute = plain(
  '/system',
  'System',
  async () => (await import('#web/features/platform/system/system-screen.tsx')).SystemScreen,
  defineRows(
    () => import('#web/features/platform/system/api.ts'),
    ({ reportQuery }, request) => request(reportQuery),
  ),
);

const setupRoute = plain(
  '/system/setup',
  'Setup Guide',
  async () => (await import('#web/features/platform/setup/setup-screen.tsx')).SetupScreen,
);

const signRoute = plain(
  '/operations/handover',
  'Hand Over the Watch',
  async () => (await import('#web/features/operations/watch/sign-screen.tsx')).SignScreen,
);

const watchRoute = plain(
  '/operations/handover/$id',
  'Handover of the Watch',
  async () => (await import('#web/features/operations/watch/watch-screen.tsx')).WatchScreen,
);

export const officeRoutes = [
  dashboardRoute,
  todayRoute,
  signRoute,
  watchRoute,
  activityRoute,
  retentionRoute,
  systemRoute,
  setupRoute,
] as const;
