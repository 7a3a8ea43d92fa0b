import { enquirySearch, quoteSearch } from '#web/features/clients/enquiries/search.ts';
import { deviceSearch, siteSearch } from '#web/features/clients/sites/search.ts';
import {
  type AttendanceSearch,
  attendanceSearch,
} from '#web/features/clocking/attendance/search.ts';
import { incidentSearch } from '#web/features/incidents/incidents/search.ts';
import { templateSearch } from '#web/features/incidents/templates/search.ts';
import { operationsSearch } from '#web/features/operations/board/operations-search.ts';
import { dispatchSearch } from '#web/features/operations/dispatch/search.ts';
import { patrolSearch } from '#web/features/operations/patrols/search.ts';
import { handoverSearch } from '#web/features/posts/handovers/search.ts';
import { orderSearch } from '#web/features/posts/post-orders/search.ts';
import { postSearch } from '#web/features/posts/posts/search.ts';
import {
  isUnfiltered,
  type RosterSearch,
  rosterSearch,
  toSpan,
} from '#web/features/roster/board/roster-schema.ts';
import { deploymentList } from '#web/features/shifts/deployments/api.ts';
import { deploymentSearch } from '#web/features/shifts/deployments/search.ts';
import { type ShiftSearch, shiftSearch } from '#web/features/shifts/shifts/shift-search.ts';
import { definePageRows, defineRows, list, plain } from './admin-route.ts';

const deploymentsRoute = list(
  '/',
  deploymentSearch,
  'Guard Deployments',
  async () => (await import('#web/features/shifts/deployments/deployment-list.tsx')).DeploymentList,
  {
    // The portal's first screen: its rows load in parallel with the user's roles.
    rows: definePageRows(async () => deploymentList),
  },
);

const incidentsRoute = list(
  '/incidents',
  incidentSearch,
  'Incidents',
  async () => (await import('#web/features/incidents/incidents/incident-list.tsx')).IncidentList,
  {
    rows: definePageRows(
      async () => (await import('#web/features/incidents/incidents/api.ts')).incidentList,
    ),
  },
);

const incidentGoalsRoute = plain(
  '/incidents/goals',
  'Incident Goals',
  async () => (await import('#web/features/incidents/incidents/goals-screen.tsx')).GoalsScreen,
);

const templatesRoute = list(
  '/incidents/templates',
  templateSearch,
  'Report Templates',
  async () => (await import('#web/features/incidents/templates/template-list.tsx')).TemplateList,
  {
    rows: definePageRows(
      async () => (await import('#web/features/incidents/templates/api.ts')).templateList,
    ),
  },
);

const incidentLetterRoute = plain(
  '/incidents/$incidentId/letter',
  'Letter to the client',
  async () => (await import('#web/features/incidents/incidents/letter-page.tsx')).LetterPage,
);

const sitesRoute = list(
  '/sites',
  siteSearch,
  'Sites',
  async () => (await import('#web/features/clients/sites/site-list.tsx')).SiteList,
  {
    rows: definePageRows(async () => (await import('#web/features/clients/sites/api.ts')).siteList),
  },
);

const devicesRoute = list(
  '/sites/devices',
  deviceSearch,
  'Devices',
  async () => (await import('#web/features/clients/sites/devices-screen.tsx')).DevicesScreen,
);

const attendanceRoute = list(
  '/attendance',
  attendanceSearch,
  'Attendance',
  async () => (await import('../attendance-screen.tsx')).AttendanceScreen,
  {
    rows: defineRows(
      () =>
        Promise.all([
          import('#web/features/clocking/attendance/api.ts'),
          import('#web/features/clocking/attendance/exceptions-api.ts'),
        ]),
      ([{ attendanceList }, { clockExceptionsQuery }], request, search: AttendanceSearch) => {
        request(attendanceList.pageQuery(search));
        // The rows wait for it.
        request(clockExceptionsQuery);
      },
    ),
  },
);

const shiftsRoute = list(
  '/shifts',
  shiftSearch,
  'Shifts',
  async () => (await import('../shifts-screen.tsx')).ShiftsScreen,
  {
    rows: defineRows(
      () => import('#web/features/shifts/shifts/shift-api.ts'),
      ({ shiftList }, request, search: ShiftSearch) => {
        if (search.view !== 'week') request(shiftList.pageQuery({ ...search, week: undefined }));
      },
    ),
    isStep: (change) => Boolean(change.open || change.day) || 'view' in change,
    resetsScroll: (change) => change.page !== undefined || 'view' in change,
  },
);

const rosterRoute = list(
  '/roster',
  rosterSearch,
  'Roster',
  async () => (await import('#web/features/roster/board/roster-board.tsx')).RosterBoard,
  {
    rows: defineRows(
      () => import('#web/features/roster/board/roster-api.ts'),
      ({ firstSitesQuery, rosterQuery }, request, search: RosterSearch) => {
        const { from, to } = toSpan(search);
        if (isUnfiltered(search)) request(firstSitesQuery({ from, to }));
        request(rosterQuery({ from, to }));
      },
    ),
    isStep: (change) => 'view' in change || 'week' in change,
    resetsScroll: () => false,
  },
);

const operationsRoute = list(
  '/operations',
  operationsSearch,
  'Operations',
  async () => (await import('../operations-screen.tsx')).OperationsScreen,
  {
    rows: defineRows(
      () =>
        Promise.all([
          import('#web/features/operations/board/operations-api.ts'),
          import('#web/features/operations/alerts/alert-api.ts'),
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

const dispatchRoute = list(
  '/dispatch',
  dispatchSearch,
  'Dispatch',
  async () =>
    (await import('#web/features/operations/dispatch/dispatch-screen.tsx')).DispatchScreen,
  {
    rows: defineRows(
      () => import('#web/features/operations/dispatch/dispatch-api.ts'),
      ({ callsQuery }, request) => request(callsQuery),
    ),
    isStep: (change) => Boolean(change.open) || 'tab' in change,
    resetsScroll: () => false,
  },
);

const requestsRoute = plain(
  '/roster/requests',
  'Requests from guards',
  async () => (await import('#web/features/shifts/shifts/requests-screen.tsx')).RequestsScreen,
);

const logRoute = plain(
  '/operations/log',
  'Control Room Log',
  async () => (await import('../log-screen.tsx')).LogScreen,
);

const rulesRoute = plain(
  '/roster/rules',
  'Roster Rules',
  async () => (await import('#web/features/roster/rule-sets/rule-sets-screen.tsx')).RuleSetsScreen,
);

const postsRoute = list(
  '/roster/posts',
  postSearch,
  'Posts',
  async () => (await import('#web/features/posts/posts/post-list.tsx')).PostList,
);

const ordersRoute = list(
  '/roster/posts/orders',
  orderSearch,
  'Post Orders',
  async () => (await import('#web/features/posts/post-orders/order-list.tsx')).OrderList,
);

const patrolsRoute = list(
  '/roster/posts/patrols',
  patrolSearch,
  'Patrols',
  async () => (await import('#web/features/operations/patrols/patrol-screen.tsx')).PatrolScreen,
);

const handoversRoute = list(
  '/roster/posts/handovers',
  handoverSearch,
  'Handovers',
  async () => (await import('#web/features/posts/handovers/handover-screen.tsx')).HandoverScreen,
);

const noticesRoute = plain(
  '/notices',
  'Notices',
  async () => (await import('#web/features/notices/notices/own-notices.tsx')).OwnNotices,
);

const enquiriesRoute = list(
  '/enquiries',
  enquirySearch,
  'Enquiries',
  async () => (await import('#web/features/clients/enquiries/enquiry-list.tsx')).EnquiryList,
  {
    rows: definePageRows(
      async () => (await import('#web/features/clients/enquiries/api.ts')).enquiryList,
    ),
  },
);

const newQuoteRoute = list(
  '/enquiries/quotes/new',
  quoteSearch,
  'Quote',
  async () => (await import('#web/features/clients/enquiries/quote-page.tsx')).NewQuotePage,
);

const quoteRoute = plain(
  '/enquiries/quotes/$id',
  'Quote',
  async () => (await import('../quote-screen.tsx')).QuoteScreen,
);

export const operationsRoutes = [
  deploymentsRoute,
  incidentsRoute,
  incidentGoalsRoute,
  templatesRoute,
  incidentLetterRoute,
  sitesRoute,
  devicesRoute,
  attendanceRoute,
  shiftsRoute,
  rosterRoute,
  operationsRoute,
  dispatchRoute,
  requestsRoute,
  logRoute,
  rulesRoute,
  postsRoute,
  ordersRoute,
  patrolsRoute,
  handoversRoute,
  noticesRoute,
  enquiriesRoute,
  newQuoteRoute,
  quoteRoute,
] as const;
