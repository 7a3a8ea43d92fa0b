import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { z } from 'zod';
import { accountingSearch } from '#web/features/accounting/search.ts';
import { activitySearch } from '#web/features/activity/schema.ts';
import { adjustmentSearch } from '#web/features/adjustments/search.ts';
import { attendanceSearch } from '#web/features/attendance/schema.ts';
import { certificationSearch } from '#web/features/certifications/search.ts';
import { statementSearch } from '#web/features/client-accounts/search.ts';
import { clientSearch } from '#web/features/clients/search.ts';
import { contractPageSearch, contractSearch } from '#web/features/contracts/search.ts';
import { deploymentList } from '#web/features/deployments/api.ts';
import { deploymentSearch } from '#web/features/deployments/schema.ts';
import { enquirySearch } from '#web/features/enquiries/schema.ts';
import { handoverSearch } from '#web/features/handovers/search.ts';
import { incidentSearch } from '#web/features/incidents/schema.ts';
import { invoicePageSearch, invoiceSearch, unbilledSearch } from '#web/features/invoices/search.ts';
import { leaveSearch } from '#web/features/leave/schema.ts';
import { marginSearch } from '#web/features/margin/search.ts';
import { operationsSearch } from '#web/features/operations/operations-search.ts';
import { patrolSearch } from '#web/features/patrols/search.ts';
import { payRunSearch, runPageSearch } from '#web/features/pay-runs/search.ts';
import { accountSearch } from '#web/features/payments/account-search.ts';
import { payrollSearch } from '#web/features/payroll/schema.ts';
import { orderSearch } from '#web/features/post-orders/search.ts';
import { postSearch } from '#web/features/posts/search.ts';
import { returnSearch } from '#web/features/returns/search.ts';
import { rosterSearch } from '#web/features/roster/roster-schema.ts';
import { shiftSearch } from '#web/features/shifts/shift-search.ts';
import { siteSearch } from '#web/features/sites/search.ts';
import { staffSearch } from '#web/features/staff/search.ts';
import { timesheetSearch } from '#web/features/timesheets/search.ts';
import { userSearch } from '#web/features/users/search.ts';
import { queryClient } from '#web/lib/cache/query-client.ts';
import { type ChangeSearch, growingSearch, recordsSearch } from '#web/lib/data/list-search.ts';
import { sessionOnDevice } from '#web/lib/session/device-session.ts';
import { lacksSecondStep } from '#web/lib/session/stored-session.ts';
import { rootRoute } from '#web/portals/router-options.tsx';
import {
  type AddressedRoute,
  type History,
  type ListSearch,
  listScreen,
  screen,
} from './screen.tsx';

const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin',
  component: lazyRouteComponent(() => import('./admin-portal.tsx'), 'AdminPortal'),
});

const plain = <const Path extends string>(
  path: Path,
  title: string,
  load: () => Promise<ComponentType>,
) => createRoute({ getParentRoute: () => adminRoute, path, component: screen(title, load) });

/** A route whose parameters are the state of its list; `show` adds the screen. */
const list = <const Path extends string, Schema extends z.ZodType<ListSearch>>(
  path: Path,
  search: Schema,
) => createRoute({ getParentRoute: () => adminRoute, path, validateSearch: search });

type Screen<Search> = ComponentType<{ search: Search; onChange: ChangeSearch<Search> }>;

/** Apart from `list`, because only the finished route knows the type of its parameters. */
function show<Search extends ListSearch>(
  route: AddressedRoute<Search>,
  title: string,
  load: () => Promise<Screen<Search>>,
  history: History<Search> = {},
) {
  route.update({
    component: listScreen({ title, load, useSearch: () => route.useSearch(), ...history }),
  });
}

const accountsSearch = recordsSearch(['title', 'bank', 'balance']);

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
});
show(
  deploymentsRoute,
  'Guard Deployments',
  async () => (await import('#web/features/deployments/deployment-list.tsx')).DeploymentList,
);

const dashboardRoute = plain(
  '/dashboard',
  'Dashboard',
  async () => (await import('./dashboard-screen.tsx')).DashboardScreen,
);

const incidentsRoute = list('/incidents', incidentSearch);
show(
  incidentsRoute,
  'Incidents',
  async () => (await import('#web/features/incidents/incident-list.tsx')).IncidentList,
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
show(sitesRoute, 'Sites', async () => (await import('#web/features/sites/site-list.tsx')).SiteList);

const clientsRoute = list('/clients', clientSearch);
show(
  clientsRoute,
  'Clients',
  async () => (await import('#web/features/clients/client-list.tsx')).ClientList,
);

const attendanceRoute = list('/attendance', attendanceSearch);
show(
  attendanceRoute,
  'Attendance',
  async () => (await import('./attendance-screen.tsx')).AttendanceScreen,
);

const timesheetsRoute = list('/timesheets', timesheetSearch);
show(
  timesheetsRoute,
  'Timesheets',
  async () => (await import('./timesheet-screens.tsx')).TimesheetsScreen,
  { isStep: (change) => 'day' in change || 'every' in change || 'show' in change },
);

const sheetRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/timesheets/$id',
  component: lazyRouteComponent(() => import('./timesheet-screens.tsx'), 'SheetScreen'),
});

const timeRulesRoute = plain(
  '/timesheets/rules',
  'Time Rules',
  async () => (await import('#web/features/time-rules/time-rules-screen.tsx')).TimeRulesScreen,
);

const leaveRoute = list('/leave', leaveSearch);
show(
  leaveRoute,
  'Leave Requests',
  async () => (await import('#web/features/leave/leave-list.tsx')).LeaveList,
);

const enquiriesRoute = list('/enquiries', enquirySearch);
show(
  enquiriesRoute,
  'Enquiries',
  async () => (await import('#web/features/enquiries/enquiry-list.tsx')).EnquiryList,
);

const financialsRoute = list('/financials', growingSearch);
show(
  financialsRoute,
  'Financial Statements',
  async () => (await import('#web/features/financial-statements/statement-list.tsx')).StatementList,
);

const expensesRoute = list('/expenses', recordsSearch(['date', 'title', 'amount']));
show(
  expensesRoute,
  'Expense Reports',
  async () => (await import('#web/features/expenses/expense-list.tsx')).ExpenseList,
);

const bankaccountsRoute = list('/bankaccounts', accountsSearch);
show(
  bankaccountsRoute,
  'Bank Accounts',
  async () => (await import('#web/features/bank-accounts/bank-account-list.tsx')).BankAccountList,
);

const loansRoute = list('/loans', accountsSearch);
show(
  loansRoute,
  'Loan Accounts',
  async () => (await import('#web/features/loans/loan-list.tsx')).LoanList,
);

const statementsRoute = plain(
  '/statements',
  'Bank Statements',
  async () => (await import('#web/features/bank-accounts/balance-overview.tsx')).BalanceOverview,
);

const cashflowRoute = plain(
  '/cashflow',
  'Cashflow Statement',
  async () => (await import('#web/features/cashflow/cashflow-statement.tsx')).CashflowStatement,
);

const staffRoute = list('/staff', staffSearch);
show(
  staffRoute,
  'Staff',
  async () => (await import('#web/features/staff/staff-list.tsx')).StaffList,
);

const payrollRoute = list('/payroll', payrollSearch);
show(
  payrollRoute,
  'Payroll',
  async () => (await import('#web/features/payroll/payroll-list.tsx')).PayrollList,
);

const returnsRoute = list('/payroll/returns', returnSearch);
show(
  returnsRoute,
  'Statutory Returns',
  async () => (await import('#web/features/returns/returns-screen.tsx')).ReturnsScreen,
);

const contractsRoute = list('/contracts', contractSearch);
show(
  contractsRoute,
  'Contracts',
  async () => (await import('#web/features/contracts/contract-list.tsx')).ContractList,
);

const contractRoute = list('/contracts/$id', contractPageSearch);
show(
  contractRoute,
  'Contract',
  async () => (await import('./contract-screen.tsx')).ContractScreen,
  { isStep: (change) => Boolean(change.open) || 'tab' in change },
);

const invoicesRoute = list('/invoices', invoiceSearch);
show(
  invoicesRoute,
  'Invoices',
  async () => (await import('#web/features/invoices/invoice-list.tsx')).InvoiceList,
);

const unbilledRoute = list('/invoices/unbilled', unbilledSearch);
show(
  unbilledRoute,
  'Unbilled Hours',
  async () => (await import('#web/features/invoices/unbilled-list.tsx')).UnbilledList,
);

const statementsOfAccountRoute = list('/invoices/statements', statementSearch);
show(
  statementsOfAccountRoute,
  'Statements of Account',
  async () => (await import('#web/features/client-accounts/statement-screen.tsx')).StatementScreen,
  { isStep: (change) => 'client' in change },
);

const marginRoute = list('/invoices/margin', marginSearch);
show(
  marginRoute,
  'Margin',
  async () => (await import('#web/features/margin/margin-screen.tsx')).MarginScreen,
);

const accountingRoute = list('/invoices/accounting', accountingSearch);
show(
  accountingRoute,
  'Accounting Export',
  async () => (await import('#web/features/accounting/accounting-screen.tsx')).AccountingScreen,
  { isStep: (change) => 'tab' in change },
);

const invoiceRoute = list('/invoices/$id', invoicePageSearch);
show(invoiceRoute, 'Invoice', async () => (await import('./invoice-screen.tsx')).InvoiceScreen, {
  isStep: (change) => Boolean(change.open),
});

const payRunsRoute = list('/payruns', payRunSearch);
show(
  payRunsRoute,
  'Pay Runs',
  async () => (await import('#web/features/pay-runs/run-list.tsx')).RunList,
);

const adjustmentsRoute = list('/payruns/adjustments', adjustmentSearch);
show(
  adjustmentsRoute,
  'Adjustments',
  async () => (await import('#web/features/adjustments/adjustment-list.tsx')).AdjustmentList,
);

const payAccountsRoute = list('/payruns/accounts', accountSearch);
show(
  payAccountsRoute,
  'Pay Accounts',
  async () => (await import('#web/features/payments/account-list.tsx')).AccountList,
);

const payRunRoute = list('/payruns/$id', runPageSearch);
show(payRunRoute, 'Pay Run', async () => (await import('./pay-run-screen.tsx')).PayRunScreen, {
  isStep: (change) => Boolean(change.open) || 'tab' in change,
});

const shiftsRoute = list('/shifts', shiftSearch);
show(shiftsRoute, 'Shifts', async () => (await import('./shifts-screen.tsx')).ShiftsScreen, {
  isStep: (change) => Boolean(change.open || change.day) || 'view' in change,
  resetsScroll: (change) => change.page !== undefined || 'view' in change,
});

const rosterRoute = list('/roster', rosterSearch);
show(
  rosterRoute,
  'Roster',
  async () => (await import('#web/features/roster/roster-board.tsx')).RosterBoard,
  { isStep: (change) => 'view' in change || 'week' in change, resetsScroll: () => false },
);

const operationsRoute = list('/operations', operationsSearch);
show(
  operationsRoute,
  'Operations',
  async () => (await import('./operations-screen.tsx')).OperationsScreen,
  { isStep: (change) => Boolean(change.open), resetsScroll: () => false },
);

const rulesRoute = plain(
  '/roster/rules',
  'Roster Rules',
  async () => (await import('#web/features/rule-sets/rule-sets-screen.tsx')).RuleSetsScreen,
);

const noticesRoute = plain(
  '/notices',
  'Notices',
  async () => (await import('#web/features/notices/own-notices.tsx')).OwnNotices,
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

const usersRoute = list('/users', userSearch);
show(usersRoute, 'Users', async () => (await import('#web/features/users/user-list.tsx')).UserList);

const certificationsRoute = list('/certifications', certificationSearch);
show(
  certificationsRoute,
  'Training & Certifications',
  async () =>
    (await import('#web/features/certifications/certification-board.tsx')).CertificationBoard,
);

const personRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/people/$id',
  component: lazyRouteComponent(() => import('./person-screens.tsx'), 'PersonScreen'),
});

const newPersonRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/people/new',
  validateSearch: ({ staff }): { staff?: string } => (typeof staff === 'string' ? { staff } : {}),
  component: lazyRouteComponent(() => import('./person-screens.tsx'), 'NewPersonScreen'),
});

const activityRoute = list('/activity', activitySearch);
show(
  activityRoute,
  'Activity',
  async () => (await import('#web/features/activity/activity-board.tsx')).ActivityBoard,
  {
    // Back also returns to the page before.
    isStep: (change) => Boolean(change.open || change.before),
    resetsScroll: (change) => change.before !== undefined,
  },
);

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
  incidentGoalsRoute,
  incidentLetterRoute,
  sitesRoute,
  clientsRoute,
  attendanceRoute,
  timesheetsRoute,
  sheetRoute,
  timeRulesRoute,
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
  returnsRoute,
  contractsRoute,
  contractRoute,
  invoicesRoute,
  unbilledRoute,
  statementsOfAccountRoute,
  marginRoute,
  accountingRoute,
  invoiceRoute,
  payRunsRoute,
  adjustmentsRoute,
  payAccountsRoute,
  payRunRoute,
  shiftsRoute,
  rosterRoute,
  operationsRoute,
  rulesRoute,
  noticesRoute,

  postsRoute,
  ordersRoute,
  patrolsRoute,
  handoversRoute,
  usersRoute,
  personRoute,
  newPersonRoute,
  certificationsRoute,
  activityRoute,
  unknownRoute,
]);
