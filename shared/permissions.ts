// The permission matrix: who sees which screen, and who may do what to which rows of which table.
// The database enforces the table part with row-level security; tests/policies holds the two together.

export const ROLES = ['admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr', 'guard'] as const;
export type Role = (typeof ROLES)[number];

export interface Screen {
  id: string;
  group: 'Staff Portal' | 'Admin Portal';
  label: string;
  path: string;
  /** Whether the sidebar marks the entry only on exactly this path. */
  exact?: boolean;
  roles: readonly Role[] | 'everyone';
}

const admins = ['admin'] as const;
const managers = ['admin', 'ops_manager'] as const;
const overseers = ['admin', 'ops_manager', 'supervisor'] as const;
const people = ['admin', 'ops_manager', 'hr'] as const;

function gated<Id extends string>(id: Id, label: string, roles: readonly Role[]) {
  return { id, group: 'Admin Portal', label, path: `/admin/${id}`, roles } as const;
}

/** One entry for each row of the sidebar, in its order. */
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
  gated('users', 'Users', admins),
  gated('sites', 'Sites', managers),
  gated('shifts', 'Shifts', [...overseers, 'dispatcher']),
  gated('attendance', 'Attendance', [...overseers, 'hr']),
  gated('incidents', 'Incidents', overseers),
  gated('leave', 'Leave Requests', people),
  gated('certifications', 'Training & Certifications', people),
  gated('clients', 'Clients', managers),
  gated('enquiries', 'Enquiries', managers),
  gated('financials', 'Financial Statements', admins),
  gated('expenses', 'Expense Reports', admins),
  gated('bankaccounts', 'Bank Accounts', admins),
  gated('loans', 'Loan Accounts', admins),
  gated('statements', 'Bank Statements', admins),
  gated('cashflow', 'Cashflow Statement', admins),
  gated('staff', 'Staff', admins),
  gated('payroll', 'Payroll', admins),
  gated('activity', 'Activity', admins),
] as const satisfies readonly Screen[];

export type ScreenId = (typeof screens)[number]['id'];

const screenById = new Map<ScreenId, Screen>(screens.map((screen) => [screen.id, screen]));

/** Whether somebody who holds these roles may open the screen (inside the portal). */
export function maySee(roles: readonly Role[], screenId: ScreenId): boolean {
  const allowed = screenById.get(screenId)?.roles;
  if (allowed === undefined) return false;
  return allowed === 'everyone' || roles.some((role) => allowed.includes(role));
}

/** Whether the admin portal opens: it does for whoever may see at least one gated entry. */
export function mayEnterPortal(roles: readonly Role[]): boolean {
  return screens.some((screen) => screen.roles !== 'everyone' && maySee(roles, screen.id));
}

/**
 * Who a permission is given to: a role; `member`, anyone signed in whose account is open (own password set,
 * second factor shown, and under sign-up policy `approval` a role); `proved`, anyone signed in whose account and session
 * are in force, with the second factor shown; `account`, anyone signed in at all; `visitor`, anyone who is not signed in.
 */
export type Subject = Role | 'member' | 'proved' | 'account' | 'visitor';

/**
 * Which rows: every row; one's own (the row names the person, or the person made it); everybody's but one's own;
 * `site`, those at the sites that a supervisor supervises (all sites for an unscoped supervisor);
 * `unscoped`, every row, but only for a supervisor of all sites;
 * `assigned`, the shifts and sites of one's own assignments, and what happened at those sites.
 */
export type Rows = 'all' | 'own' | 'others' | 'site' | 'unscoped' | 'assigned';

export const OPERATIONS = ['select', 'insert', 'update', 'delete'] as const;
export type Operation = (typeof OPERATIONS)[number];
export type Grants = Partial<Record<Subject, Rows | readonly Rows[]>>;

const nobody: Grants = {};
const adminOnly = {
  select: { admin: 'all' },
  insert: { admin: 'all' },
  update: { admin: 'all' },
  delete: { admin: 'all' },
} as const;
const managersAll: Grants = { admin: 'all', ops_manager: 'all' };
const managersOnly = {
  select: managersAll,
  insert: managersAll,
  update: managersAll,
  delete: managersAll,
} as const;
const siteWork: Grants = { ...managersAll, supervisor: 'site' };
const shiftWork: Grants = { ...siteWork, dispatcher: 'all' };
const peopleAll: Grants = { ...managersAll, hr: 'all' };

export const tables = {
  profiles: {
    select: { account: 'own', ...peopleAll, supervisor: 'all', dispatcher: 'all' },
    insert: nobody,
    update: { proved: 'own', admin: 'all' },
    delete: nobody,
  },
  user_roles: {
    select: { member: 'own', admin: 'all' },
    insert: { admin: 'others' },
    update: nobody,
    delete: { admin: 'all' },
  },
  clients: managersOnly,
  sites: {
    select: { ...shiftWork, hr: 'all', member: 'assigned' },
    insert: managersAll,
    update: managersAll,
    delete: managersAll,
  },
  shifts: {
    select: { ...shiftWork, hr: 'all', member: 'assigned' },
    insert: shiftWork,
    update: shiftWork,
    delete: managersAll,
  },
  assignments: {
    select: { ...shiftWork, hr: 'all', member: 'own' },
    insert: shiftWork,
    update: shiftWork,
    delete: shiftWork,
  },
  attendance: {
    select: { ...siteWork, hr: 'all', member: 'own' },
    insert: { ...siteWork, member: 'own' },
    update: { ...siteWork, member: 'own' },
    delete: nobody,
  },
  /** Written by record_clock_event alone. */
  clock_events: {
    select: { ...siteWork, hr: 'all', member: 'own' },
    insert: nobody,
    update: nobody,
    delete: nobody,
  },
  incidents: {
    select: { ...siteWork, member: ['own', 'assigned'] },
    insert: { member: 'own' },
    update: siteWork,
    delete: nobody,
  },
  /** Written by the database with each change of an incident. */
  incident_updates: {
    select: { ...siteWork, member: ['own', 'assigned'] },
    insert: nobody,
    update: nobody,
    delete: nobody,
  },
  /** Not for whoever raised it, or works there. */
  incident_notes: { select: siteWork, insert: nobody, update: nobody, delete: nobody },
  evidence: {
    select: { ...siteWork, member: ['own', 'assigned'] },
    insert: { ...siteWork, member: 'own' },
    update: nobody,
    delete: siteWork,
  },
  training_courses: {
    select: { member: 'all' },
    insert: peopleAll,
    update: peopleAll,
    delete: peopleAll,
  },
  certifications: {
    select: { ...peopleAll, supervisor: 'unscoped', member: 'own' },
    insert: peopleAll,
    update: peopleAll,
    delete: peopleAll,
  },
  leave_requests: {
    select: { ...peopleAll, member: 'own' },
    insert: { member: 'own' },
    /** Deciding is for somebody else's request; on one's own, only cancelling. */
    update: { ...peopleAll, member: 'own' },
    delete: nobody,
  },
  deployments: {
    select: { member: 'all' },
    insert: { member: 'all' },
    update: { ...shiftWork, supervisor: 'all', hr: 'all' },
    delete: { member: 'all' },
  },
  financial_statements: adminOnly,
  expense_reports: adminOnly,
  bank_accounts: adminOnly,
  loans: adminOnly,
  staff: adminOnly,
  pay_rates: adminOnly,
  payroll: { ...adminOnly, select: { admin: 'all', member: 'own' } },
  contact_messages: {
    select: managersAll,
    insert: { visitor: 'all', proved: 'all' },
    update: managersAll,
    delete: nobody,
  },
  audit_log: { select: { admin: 'all' }, insert: nobody, update: nobody, delete: nobody },
} as const satisfies Record<string, Record<Operation, Grants>>;

export type TableName = keyof typeof tables;

/** Whether one of these roles, or being a member, gives the operation on at least some rows: what a button asks. */
export function mayDo(roles: readonly Role[], table: TableName, operation: Operation): boolean {
  const grants: Grants = tables[table][operation];
  return (
    grants.account !== undefined ||
    grants.proved !== undefined ||
    grants.member !== undefined ||
    roles.some((role) => grants[role] !== undefined)
  );
}
