// Which screens each role has, and what follows from them.
import type { Role } from './grants.ts';

export interface Screen {
  id: string;
  group: 'Staff Portal' | 'Admin Portal';
  label: string;
  path: string;
  /** Whether the sidebar marks the entry only on exactly this path. */
  exact?: boolean;
  roles: readonly Role[] | 'everyone';
  /** Who has another screen in its place, also beside one of `roles`. */
  notFor?: readonly Role[];
}

const admins = ['admin'] as const;
const money = ['admin', 'finance'] as const;
const managers = ['admin', 'ops_manager'] as const;
const overseers = ['admin', 'ops_manager', 'supervisor'] as const;
const people = ['admin', 'ops_manager', 'hr'] as const;

function gated<Id extends string>(id: Id, label: string, roles: readonly Role[]) {
  return { id, group: 'Admin Portal', label, path: `/admin/${id}`, roles } as const;
}

/** In the order of the sidebar, in which some are tabs of an area (web/portals/admin/areas.ts). */
export const screens = [
  {
    id: 'deployments',
    group: 'Staff Portal',
    label: 'Deployments',
    path: '/admin',
    exact: true,
    roles: 'everyone',
  },
  gated('dashboard', 'Dashboard', overseers),
  { ...gated('today', 'Today', ['dispatcher', 'hr', 'finance']), notFor: overseers },
  gated('users', 'Users', admins),
  gated('sites', 'Sites', managers),
  gated('shifts', 'Shifts', [...overseers, 'dispatcher']),
  gated('roster', 'Roster', [...overseers, 'dispatcher']),
  gated('operations', 'Operations', [...overseers, 'dispatcher']),
  gated('dispatch', 'Dispatch', [...overseers, 'dispatcher']),
  gated('attendance', 'Attendance', [...overseers, 'hr']),
  gated('timesheets', 'Timesheets', [...overseers, 'hr', 'finance']),
  gated('incidents', 'Incidents', overseers),
  gated('people', 'People', people),
  gated('leave', 'Leave Requests', people),
  gated('certifications', 'Training & Certifications', people),
  gated('announcements', 'Announcements', people),
  gated('clients', 'Clients', managers),
  gated('contracts', 'Contracts', [...managers, 'finance']),
  gated('invoices', 'Invoices', money),
  gated('enquiries', 'Enquiries', managers),
  gated('financials', 'Financial Statements', money),
  gated('expenses', 'Expense Reports', money),
  gated('bankaccounts', 'Bank Accounts', money),
  gated('loans', 'Loan Accounts', money),
  gated('statements', 'Bank Statements', money),
  gated('cashflow', 'Cashflow Statement', money),
  gated('staff', 'Staff', money),
  gated('payroll', 'Payroll', money),
  gated('payruns', 'Pay Runs', money),
  gated('activity', 'Activity', admins),
  gated('system', 'System', admins),
] as const satisfies readonly Screen[];

export type ScreenId = (typeof screens)[number]['id'];

const screenById = new Map<ScreenId, Screen>(screens.map((screen) => [screen.id, screen]));

/** Whether these roles can open the screen (inside the portal). */
export function maySee(roles: readonly Role[], screenId: ScreenId): boolean {
  const screen = screenById.get(screenId);
  if (!screen || roles.some((role) => screen.notFor?.includes(role))) return false;
  const allowed = screen.roles;
  return allowed === 'everyone' || roles.some((role) => allowed.includes(role));
}

/** Whether these roles can open the admin portal: they see at least one gated entry. */
export function mayEnterPortal(roles: readonly Role[]): boolean {
  return screens.some((screen) => screen.roles !== 'everyone' && maySee(roles, screen.id));
}

/** The screens whose rows name people. Users who see one of them can open a person's page. */
const peopleScreens: readonly ScreenId[] = [
  'users',
  'shifts',
  'attendance',
  'timesheets',
  'incidents',
  'leave',
  'certifications',
  'staff',
  'payroll',
];

/** Whether these roles can open the page of a person. */
export function maySeePeople(roles: readonly Role[]): boolean {
  return peopleScreens.some((screen) => maySee(roles, screen));
}

/** The screens whose rows name sites, and those whose rows name clients: their names lead to a page. */
const siteScreens: readonly ScreenId[] = [
  'sites',
  'shifts',
  'roster',
  'operations',
  'attendance',
  'timesheets',
  'incidents',
  'contracts',
  'invoices',
];
const clientScreens: readonly ScreenId[] = ['clients', 'contracts', 'invoices'];

/** Whether these roles can open the page of a site; row-level security decides of which. */
export function maySeeSites(roles: readonly Role[]): boolean {
  return siteScreens.some((screen) => maySee(roles, screen));
}

/** Whether these roles can open the page of a client. */
export function maySeeClients(roles: readonly Role[]): boolean {
  return clientScreens.some((screen) => maySee(roles, screen));
}

/** Whether these roles manage every account, and erase people. */
export function mayManageAccounts(roles: readonly Role[]): boolean {
  return maySee(roles, 'users');
}

/** Whether these roles hire people, give start codes and end employments; HR only of guards, without pay. */
export function mayManagePeople(roles: readonly Role[]): boolean {
  return mayManageAccounts(roles) || roles.includes('hr');
}

/** Whether these roles set the photos of people. */
export function maySetPhotos(roles: readonly Role[]): boolean {
  return maySee(roles, 'certifications');
}

/** Whether these roles download everything about a person. */
export function mayExportPeople(roles: readonly Role[]): boolean {
  return roles.includes('admin') || roles.includes('hr');
}

/** Whether these roles take calls for service and send units; supervisors read those at their sites. */
export function mayDispatch(roles: readonly Role[]): boolean {
  return roles.some((role) => role === 'dispatcher' || role === 'ops_manager' || role === 'admin');
}

/** Whether these roles are offered to hand over the watch; supervisors may too, if theirs are all sites. */
export function mayHandOver(roles: readonly Role[]): boolean {
  return mayDispatch(roles);
}

/** Whether these roles turn an accepted quote into a client and a contract: they may add both. */
export function mayTurnQuotes(roles: readonly Role[]): boolean {
  return maySee(roles, 'clients') && mayBill(roles);
}

/** Whether these roles see prices and bill clients. */
export function mayBill(roles: readonly Role[]): boolean {
  return maySee(roles, 'invoices');
}
