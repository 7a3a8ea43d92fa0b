import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { leaveSearch } from '#web/features/leave/requests/search.ts';
import { announcementSearch, readerSearch } from '#web/features/notices/announcements/search.ts';
import { adjustmentSearch } from '#web/features/pay/adjustments/search.ts';
import { payRunSearch, runPageSearch } from '#web/features/pay/pay-runs/search.ts';
import { payrollSearch } from '#web/features/pay/payroll/search.ts';
import { returnSearch } from '#web/features/pay/returns/search.ts';
import { accountSearch } from '#web/features/payments/payments/account-search.ts';
import {
  type CertificationSearch,
  certificationSearch,
} from '#web/features/people/certifications/search.ts';
import { peopleSearch } from '#web/features/people/directory/search.ts';
import { staffSearch } from '#web/features/people/staff/search.ts';
import { userSearch } from '#web/features/rights/users/search.ts';
import { timesheetSearch } from '#web/features/time/timesheets/search.ts';
import { adminRoute, definePageRows, defineRows, list, plain } from './admin-route.ts';

const personRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/people/$id',
  component: lazyRouteComponent(() => import('../person-screens.tsx'), 'PersonScreen'),
});

const newPersonRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/people/new',
  validateSearch: ({ staff }): { staff?: string } => (typeof staff === 'string' ? { staff } : {}),
  component: lazyRouteComponent(() => import('../person-screens.tsx'), 'NewPersonScreen'),
});

const peopleRoute = list(
  '/people',
  peopleSearch,
  'People',
  async () => (await import('#web/features/people/directory/people-list.tsx')).PeopleList,
  {
    rows: definePageRows(
      async () => (await import('#web/features/people/directory/api.ts')).peopleList,
    ),
  },
);

const usersRoute = list(
  '/users',
  userSearch,
  'Users',
  async () => (await import('#web/features/rights/users/user-list.tsx')).UserList,
  {
    rows: definePageRows(async () => (await import('#web/features/rights/users/api.ts')).userList),
  },
);

const staffRoute = list(
  '/staff',
  staffSearch,
  'Staff',
  async () => (await import('#web/features/people/staff/staff-list.tsx')).StaffList,
  {
    rows: definePageRows(async () => (await import('#web/features/people/staff/api.ts')).staffList),
  },
);

const certificationsRoute = list(
  '/certifications',
  certificationSearch,
  'Training & Certifications',
  async () =>
    (await import('#web/features/people/certifications/certification-board.tsx'))
      .CertificationBoard,
  {
    rows: defineRows(
      () => import('#web/features/people/certifications/api.ts'),
      ({ certificationList }, request, search: CertificationSearch) => {
        if (search.view !== 'courses') request(certificationList.pageQuery(search));
      },
    ),
  },
);

const leaveRoute = list(
  '/leave',
  leaveSearch,
  'Leave Requests',
  async () => (await import('#web/features/leave/requests/leave-list.tsx')).LeaveList,
  {
    rows: definePageRows(
      async () => (await import('#web/features/leave/requests/api.ts')).leaveList,
    ),
  },
);

const announcementsRoute = list(
  '/announcements',
  announcementSearch,
  'Announcements',
  async () =>
    (await import('#web/features/notices/announcements/announcement-list.tsx')).AnnouncementList,
  {
    rows: definePageRows(
      async () => (await import('#web/features/notices/announcements/api.ts')).announcementList,
    ),
  },
);

const announcementRoute = list(
  '/announcements/$id',
  readerSearch,
  'Announcement',
  async () => (await import('../announcement-screen.tsx')).AnnouncementScreen,
);

const timesheetsRoute = list(
  '/timesheets',
  timesheetSearch,
  'Timesheets',
  async () => (await import('../timesheet-screens.tsx')).TimesheetsScreen,
  {
    rows: definePageRows(
      async () => (await import('#web/features/time/timesheets/timesheet-api.ts')).timesheetList,
    ),
    isStep: (change) => 'day' in change || 'every' in change || 'show' in change,
  },
);

const sheetRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/timesheets/$id',
  component: lazyRouteComponent(() => import('../timesheet-screens.tsx'), 'SheetScreen'),
});

const timeRulesRoute = plain(
  '/timesheets/rules',
  'Time Rules',
  async () => (await import('#web/features/time/time-rules/time-rules-screen.tsx')).TimeRulesScreen,
);

const payrollRoute = list(
  '/payroll',
  payrollSearch,
  'Payroll',
  async () => (await import('#web/features/pay/payroll/payroll-list.tsx')).PayrollList,
  {
    rows: definePageRows(
      async () => (await import('#web/features/pay/payroll/api.ts')).payrollList,
    ),
  },
);

const returnsRoute = list(
  '/payroll/returns',
  returnSearch,
  'Statutory Returns',
  async () => (await import('#web/features/pay/returns/returns-screen.tsx')).ReturnsScreen,
);

const payRunsRoute = list(
  '/payruns',
  payRunSearch,
  'Pay Runs',
  async () => (await import('#web/features/pay/pay-runs/run-list.tsx')).RunList,
  {
    rows: definePageRows(
      async () => (await import('#web/features/pay/pay-runs/api.ts')).payRunList,
    ),
  },
);

const adjustmentsRoute = list(
  '/payruns/adjustments',
  adjustmentSearch,
  'Adjustments',
  async () => (await import('#web/features/pay/adjustments/adjustment-list.tsx')).AdjustmentList,
);

const payAccountsRoute = list(
  '/payruns/accounts',
  accountSearch,
  'Pay Accounts',
  async () => (await import('#web/features/payments/payments/account-list.tsx')).AccountList,
);

const payRunRoute = list(
  '/payruns/$id',
  runPageSearch,
  'Pay Run',
  async () => (await import('../pay-run-screen.tsx')).PayRunScreen,
  { isStep: (change) => Boolean(change.open) || 'tab' in change },
);

export const peopleRoutes = [
  peopleRoute,
  personRoute,
  newPersonRoute,
  usersRoute,
  staffRoute,
  certificationsRoute,
  leaveRoute,
  announcementsRoute,
  announcementRoute,
  timesheetsRoute,
  sheetRoute,
  timeRulesRoute,
  payrollRoute,
  returnsRoute,
  payRunsRoute,
  adjustmentsRoute,
  payAccountsRoute,
  payRunRoute,
] as const;
