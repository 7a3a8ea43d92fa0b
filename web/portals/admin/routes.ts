import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { activitySearch } from '#web/features/activity/schema.ts';
import { attendanceSearch } from '#web/features/attendance/schema.ts';
import { certificationSearch } from '#web/features/certifications/schema.ts';
import { clientSearch } from '#web/features/clients/schema.ts';
import { deploymentList } from '#web/features/deployments/api.ts';
import { deploymentSearch } from '#web/features/deployments/schema.ts';
import { enquirySearch } from '#web/features/enquiries/schema.ts';
import { incidentSearch } from '#web/features/incidents/schema.ts';
import { leaveSearch } from '#web/features/leave/schema.ts';
import { payrollSearch } from '#web/features/payroll/schema.ts';
import { shiftSearch } from '#web/features/shifts/shift-schema.ts';
import { siteSearch } from '#web/features/sites/schema.ts';
import { staffSearch } from '#web/features/staff/schema.ts';
import { userSearch } from '#web/features/users/schema.ts';
import { queryClient } from '#web/lib/cache/query-client.ts';
import { growingSearch } from '#web/lib/data/list-search.ts';
import { sessionOnDevice } from '#web/lib/session/device-session.ts';
import { lacksSecondStep } from '#web/lib/session/stored-session.ts';
import { rootRoute } from '#web/portals/router-options.tsx';
import { listScreen, screen } from './screen.tsx';

const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin',
  component: lazyRouteComponent(() => import('./admin-portal.tsx'), 'AdminPortal'),
});

const deploymentsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/',
  validateSearch: deploymentSearch,
  loaderDeps: ({ search: { q, status, page } }) => ({ q, status, page }),
  // The portal's first screen: its rows load in parallel with the user's roles.
  loader: ({ deps }) => {
    const session = sessionOnDevice();
    if (session && !lacksSecondStep(session)) {
      void queryClient.prefetchQuery(deploymentList.pageQuery(deps));
    }
  },
  component: listScreen({
    title: 'Guard Deployments',
    search: deploymentSearch,
    load: async () =>
      (await import('#web/features/deployments/deployment-list.tsx')).DeploymentList,
  }),
});

const dashboardRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/dashboard',
  component: screen(
    'Dashboard',
    async () => (await import('./dashboard-screen.tsx')).DashboardScreen,
  ),
});

const incidentsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/incidents',
  validateSearch: incidentSearch,
  component: listScreen({
    title: 'Incidents',
    search: incidentSearch,
    load: async () => (await import('#web/features/incidents/incident-list.tsx')).IncidentList,
  }),
});

const sitesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/sites',
  validateSearch: siteSearch,
  component: listScreen({
    title: 'Sites',
    search: siteSearch,
    load: async () => (await import('#web/features/sites/site-list.tsx')).SiteList,
  }),
});

const clientsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/clients',
  validateSearch: clientSearch,
  component: listScreen({
    title: 'Clients',
    search: clientSearch,
    load: async () => (await import('#web/features/clients/client-list.tsx')).ClientList,
  }),
});

const attendanceRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/attendance',
  validateSearch: attendanceSearch,
  component: listScreen({
    title: 'Attendance',
    search: attendanceSearch,
    load: async () => (await import('#web/features/attendance/attendance-list.tsx')).AttendanceList,
  }),
});

const leaveRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/leave',
  validateSearch: leaveSearch,
  component: listScreen({
    title: 'Leave Requests',
    search: leaveSearch,
    load: async () => (await import('#web/features/leave/leave-list.tsx')).LeaveList,
  }),
});

const enquiriesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/enquiries',
  validateSearch: enquirySearch,
  component: listScreen({
    title: 'Enquiries',
    search: enquirySearch,
    load: async () => (await import('#web/features/enquiries/enquiry-list.tsx')).EnquiryList,
  }),
});

const financialsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/financials',
  validateSearch: growingSearch,
  component: listScreen({
    title: 'Financial Statements',
    search: growingSearch,
    load: async () =>
      (await import('#web/features/financial-statements/statement-list.tsx')).StatementList,
  }),
});

const expensesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/expenses',
  validateSearch: growingSearch,
  component: listScreen({
    title: 'Expense Reports',
    search: growingSearch,
    load: async () => (await import('#web/features/expenses/expense-list.tsx')).ExpenseList,
  }),
});

const bankaccountsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/bankaccounts',
  validateSearch: growingSearch,
  component: listScreen({
    title: 'Bank Accounts',
    search: growingSearch,
    load: async () =>
      (await import('#web/features/bank-accounts/bank-account-list.tsx')).BankAccountList,
  }),
});

const loansRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/loans',
  validateSearch: growingSearch,
  component: listScreen({
    title: 'Loan Accounts',
    search: growingSearch,
    load: async () => (await import('#web/features/loans/loan-list.tsx')).LoanList,
  }),
});

const statementsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/statements',
  component: screen(
    'Bank Statements',
    async () => (await import('#web/features/bank-accounts/balance-overview.tsx')).BalanceOverview,
  ),
});

const cashflowRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/cashflow',
  component: screen(
    'Cashflow Statement',
    async () => (await import('#web/features/cashflow/cashflow-statement.tsx')).CashflowStatement,
  ),
});

const staffRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/staff',
  validateSearch: staffSearch,
  component: listScreen({
    title: 'Staff',
    search: staffSearch,
    load: async () => (await import('#web/features/staff/staff-list.tsx')).StaffList,
  }),
});

const payrollRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/payroll',
  validateSearch: payrollSearch,
  component: listScreen({
    title: 'Payroll',
    search: payrollSearch,
    load: async () => (await import('#web/features/payroll/payroll-list.tsx')).PayrollList,
  }),
});

const shiftsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/shifts',
  validateSearch: shiftSearch,
  component: listScreen({
    title: 'Shifts',
    search: shiftSearch,
    load: async () => (await import('#web/features/shifts/shift-planner.tsx')).ShiftPlanner,
    isStep: (change) => Boolean(change.open || change.day) || 'view' in change,
    resetsScroll: (change) => change.page !== undefined || 'view' in change,
  }),
});

const usersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/users',
  validateSearch: userSearch,
  component: listScreen({
    title: 'Users',
    search: userSearch,
    load: async () => (await import('#web/features/users/user-list.tsx')).UserList,
  }),
});

const certificationsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/certifications',
  validateSearch: certificationSearch,
  component: listScreen({
    title: 'Training & Certifications',
    search: certificationSearch,
    load: async () =>
      (await import('#web/features/certifications/certification-board.tsx')).CertificationBoard,
  }),
});

const activityRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/activity',
  validateSearch: activitySearch,
  component: listScreen({
    title: 'Activity',
    search: activitySearch,
    load: async () => (await import('#web/features/activity/activity-board.tsx')).ActivityBoard,
    // Back also returns to the page before.
    isStep: (change) => Boolean(change.open || change.before),
    resetsScroll: (change) => change.before !== undefined,
  }),
});

const unknownRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/admin', replace: true });
  },
});

export const adminRoutes = adminRoute.addChildren([
  deploymentsRoute,
  dashboardRoute,
  incidentsRoute,
  sitesRoute,
  clientsRoute,
  attendanceRoute,
  leaveRoute,
  enquiriesRoute,
  financialsRoute,
  expensesRoute,
  bankaccountsRoute,
  loansRoute,
  statementsRoute,
  cashflowRoute,
  staffRoute,
  payrollRoute,
  shiftsRoute,
  usersRoute,
  certificationsRoute,
  activityRoute,
  unknownRoute,
]);
