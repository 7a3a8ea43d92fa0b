import { type ActivitySearch, activitySearch } from '#web/features/activity/schema.ts';
import { type AttendanceSearch, attendanceSearch } from '#web/features/attendance/search.ts';
import { deploymentList } from '#web/features/deployments/api.ts';
import { deploymentSearch } from '#web/features/deployments/search.ts';
import { enquirySearch } from '#web/features/enquiries/search.ts';
import { handoverSearch } from '#web/features/handovers/search.ts';
import { incidentSearch } from '#web/features/incidents/search.ts';
import { operationsSearch } from '#web/features/operations/operations-search.ts';
import { patrolSearch } from '#web/features/patrols/search.ts';
import { orderSearch } from '#web/features/post-orders/search.ts';
import { postSearch } from '#web/features/posts/search.ts';
import {
  isUnfiltered,
  type RosterSearch,
  rosterSearch,
  spanOf,
} from '#web/features/roster/roster-schema.ts';
import { type ShiftSearch, shiftSearch } from '#web/features/shifts/shift-search.ts';
import { siteSearch } from '#web/features/sites/search.ts';
import { list, pageOf, plain, rowsOf, show } from './admin-route.ts';

const deploymentsRoute = list('/', deploymentSearch);
show(
  deploymentsRoute,
  'Guard Deployments',
  async () => (await import('#web/features/deployments/deployment-list.tsx')).DeploymentList,
  // The portal's first screen: its rows load in parallel with the user's roles.
  { rows: pageOf(async () => deploymentList) },
);

const dashboardRoute = plain(
  '/dashboard',
  'Dashboard',
  async () => (await import('../dashboard-screen.tsx')).DashboardScreen,
  rowsOf(
    () => import('#web/features/dashboard/api.ts'),
    ({ figuresQuery, startQuery }, request) => {
      request(startQuery);
      request(figuresQuery);
    },
  ),
);

const incidentsRoute = list('/incidents', incidentSearch);
show(
  incidentsRoute,
  'Incidents',
  async () => (await import('#web/features/incidents/incident-list.tsx')).IncidentList,
  {
    rows: pageOf(async () => (await import('#web/features/incidents/api.ts')).incidentList),
  },
);

const incidentGoalsRoute = plain(
  '/incidents/goals',
  'Incident Goals',
  async () => (await import('#web/features/incidents/goals-screen.tsx')).GoalsScreen,
);

const incidentLetterRoute = plain(
  '/incidents/$incidentId/letter',
  'Letter to the client',
  async () => (await import('#web/features/incidents/letter-page.tsx')).LetterPage,
);

const sitesRoute = list('/sites', siteSearch);
show(
  sitesRoute,
  'Sites',
  async () => (await import('#web/features/sites/site-list.tsx')).SiteList,
  {
    rows: pageOf(async () => (await import('#web/features/sites/api.ts')).siteList),
  },
);

const attendanceRoute = list('/attendance', attendanceSearch);
show(
  attendanceRoute,
  'Attendance',
  async () => (await import('../attendance-screen.tsx')).AttendanceScreen,
  {
    rows: rowsOf(
      () =>
        Promise.all([
          import('#web/features/attendance/api.ts'),
          import('#web/features/attendance/exceptions-api.ts'),
        ]),
      ([{ attendanceList }, { clockExceptionsQuery }], request, search: AttendanceSearch) => {
        request(attendanceList.pageQuery(search));
        // The rows wait for it.
        request(clockExceptionsQuery);
      },
    ),
  },
);

const shiftsRoute = list('/shifts', shiftSearch);
show(shiftsRoute, 'Shifts', async () => (await import('../shifts-screen.tsx')).ShiftsScreen, {
  rows: rowsOf(
    () => import('#web/features/shifts/shift-api.ts'),
    ({ shiftList }, request, search: ShiftSearch) => {
      if (search.view !== 'week') request(shiftList.pageQuery({ ...search, week: undefined }));
    },
  ),
  isStep: (change) => Boolean(change.open || change.day) || 'view' in change,
  resetsScroll: (change) => change.page !== undefined || 'view' in change,
});

const rosterRoute = list('/roster', rosterSearch);
show(
  rosterRoute,
  'Roster',
  async () => (await import('#web/features/roster/roster-board.tsx')).RosterBoard,
  {
    rows: rowsOf(
      () => import('#web/features/roster/roster-api.ts'),
      ({ firstSitesQuery, rosterQuery }, request, search: RosterSearch) => {
        const { from, to } = spanOf(search);
        if (isUnfiltered(search)) request(firstSitesQuery({ from, to }));
        request(rosterQuery({ from, to }));
      },
    ),
    isStep: (change) => 'view' in change || 'week' in change,
    resetsScroll: () => false,
  },
);

const operationsRoute = list('/operations', operationsSearch);
show(
  operationsRoute,
  'Operations',
  async () => (await import('../operations-screen.tsx')).OperationsScreen,
  {
    rows: rowsOf(
      () =>
        Promise.all([
          import('#web/features/operations/operations-api.ts'),
          import('#web/features/alerts/alert-api.ts'),
        ]),
      ([{ firstWindowQuery }, { alertsQuery }], request) => {
        request(firstWindowQuery);
        // The board waits for it.
        request(alertsQuery);
      },
    ),
    isStep: (change) => Boolean(change.open),
    resetsScroll: () => false,
  },
);

const rulesRoute = plain(
  '/roster/rules',
  'Roster Rules',
  async () => (await import('#web/features/rule-sets/rule-sets-screen.tsx')).RuleSetsScreen,
);

const postsRoute = list('/roster/posts', postSearch);
show(postsRoute, 'Posts', async () => (await import('#web/features/posts/post-list.tsx')).PostList);

const ordersRoute = list('/roster/posts/orders', orderSearch);
show(
  ordersRoute,
  'Post Orders',
  async () => (await import('#web/features/post-orders/order-list.tsx')).OrderList,
);

const patrolsRoute = list('/roster/posts/patrols', patrolSearch);
show(
  patrolsRoute,
  'Patrols',
  async () => (await import('#web/features/patrols/patrol-screen.tsx')).PatrolScreen,
);

const handoversRoute = list('/roster/posts/handovers', handoverSearch);
show(
  handoversRoute,
  'Handovers',
  async () => (await import('#web/features/handovers/handover-screen.tsx')).HandoverScreen,
);

const noticesRoute = plain(
  '/notices',
  'Notices',
  async () => (await import('#web/features/notices/own-notices.tsx')).OwnNotices,
);

const enquiriesRoute = list('/enquiries', enquirySearch);
show(
  enquiriesRoute,
  'Enquiries',
  async () => (await import('#web/features/enquiries/enquiry-list.tsx')).EnquiryList,
  {
    rows: pageOf(async () => (await import('#web/features/enquiries/api.ts')).enquiryList),
  },
);

const retentionRoute = plain(
  '/activity/retention',
  'Data Retention',
  async () => (await import('#web/features/retention/retention-screen.tsx')).RetentionScreen,
);

const activityRoute = list('/activity', activitySearch);
show(
  activityRoute,
  'Activity',
  async () => (await import('#web/features/activity/activity-board.tsx')).ActivityBoard,
  {
    rows: rowsOf(
      () => import('#web/features/activity/api.ts'),
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
  async () => (await import('#web/features/system/system-screen.tsx')).SystemScreen,
  rowsOf(
    () => import('#web/features/system/api.ts'),
    ({ reportQuery }, request) => request(reportQuery),
  ),
);

export const operationsRoutes = [
  deploymentsRoute,
  dashboardRoute,
  incidentsRoute,
  incidentGoalsRoute,
  incidentLetterRoute,
  sitesRoute,
  attendanceRoute,
  shiftsRoute,
  rosterRoute,
  operationsRoute,
  rulesRoute,
  postsRoute,
  ordersRoute,
  patrolsRoute,
  handoversRoute,
  noticesRoute,
  enquiriesRoute,
  activityRoute,
  retentionRoute,
  systemRoute,
] as const;
