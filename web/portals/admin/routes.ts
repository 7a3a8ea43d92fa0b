// The addresses of the admin portal. A new screen: a route here, its icon in navigation.ts.
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { activitySearch } from '#web/features/activity/schema.ts';
import { attendanceSearch } from '#web/features/attendance/schema.ts';
import { certificationSearch } from '#web/features/certifications/schema.ts';
import { clientSearch } from '#web/features/clients/schema.ts';
import { deploymentsPageQuery } from '#web/features/deployments/api.ts';
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
import { lacksSecondStep } from '#web/lib/session/assurance.ts';
import { sessionOnDevice } from '#web/lib/session/device-session.ts';
import { rootRoute } from '#web/portals/router-options.tsx';

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
  // The portal opens here: its rows are asked for beside the roles of its person, not after them.
  loader: ({ deps }) => {
    const session = sessionOnDevice();
    if (session && !lacksSecondStep(session)) {
      void queryClient.prefetchQuery(deploymentsPageQuery(deps));
    }
  },
  component: lazyRouteComponent(() => import('./deployments-screen.tsx'), 'DeploymentsScreen'),
});

const dashboardRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/dashboard',
  component: lazyRouteComponent(() => import('./dashboard-screen.tsx'), 'DashboardScreen'),
});

const incidentsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/incidents',
  validateSearch: incidentSearch,
  component: lazyRouteComponent(() => import('./incidents-screen.tsx'), 'IncidentsScreen'),
});

const sitesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/sites',
  validateSearch: siteSearch,
  component: lazyRouteComponent(() => import('./sites-screen.tsx'), 'SitesScreen'),
});

const clientsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/clients',
  validateSearch: clientSearch,
  component: lazyRouteComponent(() => import('./clients-screen.tsx'), 'ClientsScreen'),
});

const attendanceRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/attendance',
  validateSearch: attendanceSearch,
  component: lazyRouteComponent(() => import('./attendance-screen.tsx'), 'AttendanceScreen'),
});

const leaveRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/leave',
  validateSearch: leaveSearch,
  component: lazyRouteComponent(() => import('./leave-screen.tsx'), 'LeaveScreen'),
});

const enquiriesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/enquiries',
  validateSearch: enquirySearch,
  component: lazyRouteComponent(() => import('./enquiries-screen.tsx'), 'EnquiriesScreen'),
});

const financialsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/financials',
  component: lazyRouteComponent(() => import('./financials-screen.tsx'), 'FinancialsScreen'),
});

const expensesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/expenses',
  component: lazyRouteComponent(() => import('./expenses-screen.tsx'), 'ExpensesScreen'),
});

const bankaccountsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/bankaccounts',
  component: lazyRouteComponent(() => import('./bank-accounts-screen.tsx'), 'BankAccountsScreen'),
});

const loansRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/loans',
  component: lazyRouteComponent(() => import('./loans-screen.tsx'), 'LoansScreen'),
});

const statementsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/statements',
  component: lazyRouteComponent(() => import('./statements-screen.tsx'), 'StatementsScreen'),
});

const cashflowRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/cashflow',
  component: lazyRouteComponent(() => import('./cashflow-screen.tsx'), 'CashflowScreen'),
});

const staffRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/staff',
  validateSearch: staffSearch,
  component: lazyRouteComponent(() => import('./staff-screen.tsx'), 'StaffScreen'),
});

const payrollRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/payroll',
  validateSearch: payrollSearch,
  component: lazyRouteComponent(() => import('./payroll-screen.tsx'), 'PayrollScreen'),
});

const shiftsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/shifts',
  validateSearch: shiftSearch,
  component: lazyRouteComponent(() => import('./shifts-screen.tsx'), 'ShiftsScreen'),
});

const activityRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/activity',
  validateSearch: activitySearch,
  component: lazyRouteComponent(() => import('./activity-screen.tsx'), 'ActivityScreen'),
});

const certificationsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/certifications',
  validateSearch: certificationSearch,
  component: lazyRouteComponent(
    () => import('./certifications-screen.tsx'),
    'CertificationsScreen',
  ),
});

const usersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/users',
  validateSearch: userSearch,
  component: lazyRouteComponent(() => import('./users-screen.tsx'), 'UsersScreen'),
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
