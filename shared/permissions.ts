// The permission matrix: screens by role, and operations on rows by role.
// The database enforces the table part with row-level security; tests/policies holds the two together.

export const ROLES = [
  'admin',
  'ops_manager',
  'supervisor',
  'dispatcher',
  'hr',
  'finance',
  'guard',
] as const;
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
const money = ['admin', 'finance'] as const;
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
  gated('roster', 'Roster', [...overseers, 'dispatcher']),
  gated('operations', 'Operations', [...overseers, 'dispatcher']),
  gated('attendance', 'Attendance', [...overseers, 'hr']),
  gated('timesheets', 'Timesheets', [...overseers, 'hr', 'finance']),
  gated('incidents', 'Incidents', overseers),
  gated('leave', 'Leave Requests', people),
  gated('certifications', 'Training & Certifications', people),
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
  const allowed = screenById.get(screenId)?.roles;
  if (allowed === undefined) return false;
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

/** Whether these roles hire people, give start codes and end employments. */
export function mayManagePeople(roles: readonly Role[]): boolean {
  return maySee(roles, 'users');
}

/** Whether these roles set the photos of people. */
export function maySetPhotos(roles: readonly Role[]): boolean {
  return maySee(roles, 'certifications');
}

/** Whether these roles download everything about a person. */
export function mayExportPeople(roles: readonly Role[]): boolean {
  return roles.includes('admin') || roles.includes('hr');
}

/** Whether these roles see prices and bill clients. */
export function mayBill(roles: readonly Role[]): boolean {
  return maySee(roles, 'invoices');
}

/**
 * Who a permission is given to: a role; `member`, anyone signed in whose account is open (own password set,
 * second factor shown, and under sign-up policy `approval` a role); `proved`, anyone signed in whose account and session
 * are in force, with the second factor shown; `account`, anyone signed in at all; `client`, a contact of a client while the
 * access lasts, who is never a member; `visitor`, anyone who is not signed in.
 */
export type Subject = Role | 'member' | 'proved' | 'account' | 'client' | 'visitor';

/**
 * Which rows: all; the user's own (the row names the user, or the user created it); others', all except one's own;
 * `site`, rows at the sites of a supervisor (all sites for an unscoped supervisor);
 * `unscoped`, every row, but only for a supervisor of all sites;
 * `assigned`, shifts and sites of the user's assignments, and the records of those sites;
 * `client`, rows of the clients whose contact the user is.
 */
export type Rows = 'all' | 'own' | 'others' | 'site' | 'unscoped' | 'assigned' | 'client';

export const OPERATIONS = ['select', 'insert', 'update', 'delete'] as const;
export type Operation = (typeof OPERATIONS)[number];
export type Grants = Partial<Record<Subject, Rows | readonly Rows[]>>;

const nobody: Grants = {};
const moneyOnly = {
  select: { admin: 'all', finance: 'all' },
  insert: { admin: 'all', finance: 'all' },
  update: { admin: 'all', finance: 'all' },
  delete: { admin: 'all', finance: 'all' },
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
const sitePlans: Grants = { ...shiftWork, hr: 'all' };
const peopleAll: Grants = { ...managersAll, hr: 'all' };
const timeReaders: Grants = { ...siteWork, hr: 'all', finance: 'all', member: 'own' };

export const tables = {
  profiles: {
    select: { account: 'own', ...peopleAll, supervisor: 'all', dispatcher: 'all', finance: 'all' },
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
  clients: { ...managersOnly, select: { ...managersAll, finance: 'all' } },
  /** The people of clients. revoke_client_access ends an access. */
  client_contacts: {
    select: { ...managersAll, finance: 'all', client: 'own' },
    insert: managersAll,
    update: managersAll,
    delete: nobody,
  },
  /** Written by send_client_request and answer_client_request alone. */
  client_requests: {
    select: { ...managersAll, client: 'client' },
    insert: nobody,
    update: nobody,
    delete: nobody,
  },
  sites: {
    select: { ...shiftWork, hr: 'all', finance: 'all', member: 'assigned' },
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
    /** Nobody corrects their own: a member only clocks in and out. */
    insert: { ...siteWork, hr: 'all', member: 'own' },
    update: { ...siteWork, hr: 'all', member: 'own' },
    delete: nobody,
  },
  /** Written by record_clock_event alone. */
  clock_events: {
    select: { ...siteWork, hr: 'all', member: 'own' },
    insert: nobody,
    update: nobody,
    delete: nobody,
  },
  /** Shared phones and tablets, written by functions alone. */
  devices: { select: managersAll, insert: nobody, update: nobody, delete: nobody },
  /** What a shared device sent that became no record. */
  clock_exceptions: { select: siteWork, insert: nobody, update: nobody, delete: nobody },
  incidents: {
    select: { ...siteWork, member: ['own', 'assigned'] },
    /** Overseers also enter what others report by telephone. */
    insert: { ...siteWork, member: 'own' },
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
  /** Of reports; written by review_incident alone. Guards read the questions about their own. */
  incident_reviews: {
    select: { ...siteWork, member: 'own' },
    insert: nobody,
    update: nobody,
    delete: nobody,
  },
  /** Reminders and escalations, by the database. */
  incident_escalations: { select: siteWork, insert: nobody, update: nobody, delete: nobody },
  /** Times to respond and to resolve, in dated versions. */
  incident_goals: { ...managersOnly, select: { ...managersAll, supervisor: 'all' } },
  /** To clients. approve_letter approves them. */
  incident_letters: { select: siteWork, insert: siteWork, update: nobody, delete: nobody },
  /** By contacts of clients, through acknowledge_letter. */
  letter_acknowledgements: { select: siteWork, insert: nobody, update: nobody, delete: nobody },
  /** Not for its reporter, or guards who work there. */
  incident_notes: { select: siteWork, insert: nobody, update: nobody, delete: nobody },
  /** What a reporter adds to a report later. */
  report_notes: {
    select: { ...siteWork, member: ['own', 'assigned'] },
    insert: { member: 'own' },
    update: nobody,
    delete: nobody,
  },
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
    /** People managers also enter requests of others. */
    insert: { ...peopleAll, member: 'own' },
    /** Others decide a request; its owner can only cancel it. */
    update: { ...peopleAll, member: 'own' },
    delete: nobody,
  },
  deployments: {
    select: { member: 'all' },
    insert: { member: 'all' },
    update: { ...shiftWork, supervisor: 'all', hr: 'all' },
    delete: { member: 'all' },
  },
  financial_statements: moneyOnly,
  expense_reports: moneyOnly,
  bank_accounts: moneyOnly,
  loans: moneyOnly,
  staff: moneyOnly,
  pay_rates: moneyOnly,
  payroll: { ...moneyOnly, select: { admin: 'all', finance: 'all', member: 'own' } },
  time_rules: {
    select: { member: 'all' },
    insert: peopleAll,
    update: peopleAll,
    delete: peopleAll,
  },
  company_holidays: {
    select: { member: 'all' },
    insert: peopleAll,
    update: peopleAll,
    delete: peopleAll,
  },
  /** Computed, and changed by functions alone. Supervisors see those whose every site is theirs. */
  timesheets: { select: timeReaders, insert: nobody, update: nobody, delete: nobody },
  timesheet_days: { select: timeReaders, insert: nobody, update: nobody, delete: nobody },
  time_segments: { select: timeReaders, insert: nobody, update: nobody, delete: nobody },
  /** Written by decide_time alone. */
  time_decisions: { select: timeReaders, insert: nobody, update: nobody, delete: nobody },
  /** Answered by answer_dispute. */
  timesheet_disputes: {
    select: timeReaders,
    insert: { member: 'own' },
    update: nobody,
    delete: nobody,
  },
  pay_adjustments: {
    select: { admin: 'all', finance: 'all' },
    insert: nobody,
    update: nobody,
    delete: nobody,
  },
  /** Only a second person verifies an account, through verify_pay_account. */
  pay_accounts: moneyOnly,
  pay_bases: moneyOnly,
  pay_items: moneyOnly,
  /** Begun by hand; all else is written by functions. */
  pay_runs: { ...moneyOnly, delete: nobody },
  /** Written by functions alone. A person sees the own ones of locked runs. */
  payslips: {
    select: { admin: 'all', finance: 'all', member: 'own' },
    insert: nobody,
    update: nobody,
    delete: nobody,
  },
  payslip_lines: {
    select: { admin: 'all', finance: 'all', member: 'own' },
    insert: nobody,
    update: nobody,
    delete: nobody,
  },
  /** A channel has its format from the start. */
  payment_formats: { ...moneyOnly, insert: nobody, delete: nobody },
  /** Made and settled by functions alone. */
  payments: { ...moneyOnly, insert: nobody, update: nobody, delete: nobody },
  payment_files: { ...moneyOnly, insert: nobody, update: nobody, delete: nobody },
  /** A mistake is written off by another entry. */
  staff_ledger: { ...moneyOnly, delete: nobody },
  contracts: { ...moneyOnly, select: { ...managersAll, finance: 'all' } },
  contract_posts: { ...moneyOnly, select: { ...managersAll, finance: 'all' } },
  rates: moneyOnly,
  tax_rates: moneyOnly,
  /** Written by draft_invoices, waive_time and credit notes alone. */
  billed_time: { ...moneyOnly, insert: nobody, update: nobody, delete: nobody },
  /** Drafted by draft_invoices, issued by issue_invoice. Issued ones never change. */
  invoices: { ...moneyOnly, insert: nobody },
  /** By hand only in drafts; lines from hours and rates change with draft_invoices. */
  invoice_lines: moneyOnly,
  /** Written by credit_invoice alone. */
  credit_notes: { ...moneyOnly, insert: nobody, update: nobody, delete: nobody },
  credit_note_lines: { ...moneyOnly, insert: nobody, update: nobody, delete: nobody },
  /** Money of clients: recorded, allocated and voided by functions alone. */
  receipts: { ...moneyOnly, insert: nobody, update: nobody, delete: nobody },
  receipt_allocations: { ...moneyOnly, insert: nobody, update: nobody, delete: nobody },
  /** Written by send_invoices alone. */
  invoice_mails: { ...moneyOnly, insert: nobody, update: nobody, delete: nobody },
  /** Its accounts are fixed; their codes and names are not. */
  chart_of_accounts: { ...moneyOnly, insert: nobody, delete: nobody },
  posts: {
    select: { ...sitePlans, finance: 'all', member: 'assigned' },
    insert: siteWork,
    update: siteWork,
    delete: siteWork,
  },
  post_courses: { select: sitePlans, insert: siteWork, update: nobody, delete: siteWork },
  post_requirements: { select: sitePlans, insert: siteWork, update: siteWork, delete: siteWork },
  public_holidays: { select: { member: 'all' }, insert: nobody, update: nobody, delete: nobody },
  rule_sets: {
    select: { ...sitePlans, supervisor: 'all' },
    insert: managersAll,
    update: managersAll,
    delete: managersAll,
  },
  site_bans: { select: sitePlans, insert: siteWork, update: nobody, delete: siteWork },
  site_inductions: { select: sitePlans, insert: siteWork, update: nobody, delete: siteWork },
  availability: {
    select: { ...sitePlans, supervisor: 'all', member: 'own' },
    insert: { member: 'own' },
    update: { member: 'own' },
    delete: { member: 'own' },
  },
  /** The draft of the roster, written by apply_roster and pin_roster alone. */
  roster_changes: { select: shiftWork, insert: nobody, update: nobody, delete: nobody },
  roster_pins: { select: shiftWork, insert: nobody, update: nobody, delete: nobody },
  roster_periods: {
    select: { ...shiftWork, supervisor: 'all' },
    insert: nobody,
    update: nobody,
    delete: nobody,
  },
  /** What came of calling guards to stand in. Written by note_call alone; not for those who were called. */
  replacement_calls: { select: shiftWork, insert: nobody, update: nobody, delete: nobody },
  /** Bids, swaps and offers, written by functions alone. Also read by the colleague who is asked to swap. */
  offers: {
    select: { ...shiftWork, member: 'own' },
    insert: nobody,
    update: nobody,
    delete: nobody,
  },
  /** Written by the functions of alerts alone. */
  alerts: { select: shiftWork, insert: nobody, update: nobody, delete: nobody },
  room_notes: { select: shiftWork, insert: shiftWork, update: shiftWork, delete: nobody },
  /** Welfare checks, SOS and messages: written by functions alone. */
  welfare_checks: {
    select: { ...shiftWork, member: 'own' },
    insert: nobody,
    update: nobody,
    delete: nobody,
  },
  sos_events: {
    select: { ...shiftWork, member: 'own' },
    insert: nobody,
    update: nobody,
    delete: nobody,
  },
  inbound_messages: { select: shiftWork, insert: nobody, update: nobody, delete: nobody },
  notices: {
    select: { member: 'own' },
    insert: nobody,
    update: { member: 'own' },
    delete: nobody,
  },
  /** A new version is a new row. */
  post_orders: {
    select: { ...shiftWork, member: 'assigned' },
    insert: siteWork,
    update: nobody,
    delete: nobody,
  },
  /** Written by confirm_post_orders alone. */
  post_order_readings: {
    select: { ...shiftWork, member: 'own' },
    insert: nobody,
    update: nobody,
    delete: nobody,
  },
  /** Written by leave_note and take_over alone. */
  handover_notes: {
    select: { ...shiftWork, member: 'assigned' },
    insert: nobody,
    update: nobody,
    delete: nobody,
  },
  handovers: {
    select: { ...shiftWork, member: 'assigned' },
    insert: nobody,
    update: nobody,
    delete: nobody,
  },
  equipment: {
    select: { ...shiftWork, member: 'assigned' },
    insert: siteWork,
    update: siteWork,
    delete: siteWork,
  },
  /** With their secret codes, which guards must not learn from here. */
  checkpoints: { select: shiftWork, insert: siteWork, update: siteWork, delete: siteWork },
  tours: { select: shiftWork, insert: siteWork, update: siteWork, delete: siteWork },
  /** Written by record_scans alone. */
  checkpoint_scans: {
    select: { ...shiftWork, member: 'own' },
    insert: nobody,
    update: nobody,
    delete: nobody,
  },
  contact_messages: {
    select: managersAll,
    insert: { visitor: 'all', proved: 'all' },
    update: managersAll,
    delete: nobody,
  },
  /** How long records are kept, with a row for each kind. Read by the people whom it concerns. */
  retention_rules: {
    select: { account: 'all' },
    insert: nobody,
    update: { admin: 'all' },
    delete: nobody,
  },
  audit_log: { select: { admin: 'all' }, insert: nobody, update: nobody, delete: nobody },
} as const satisfies Record<string, Record<Operation, Grants>>;

export type TableName = keyof typeof tables;

/** Whether these roles allow the operation on at least some rows, for showing a button. */
export function mayDo(roles: readonly Role[], table: TableName, operation: Operation): boolean {
  const grants: Grants = tables[table][operation];
  return (
    grants.account !== undefined ||
    grants.proved !== undefined ||
    grants.member !== undefined ||
    roles.some((role) => grants[role] !== undefined)
  );
}

/** Whether these roles may read rows of the table about other people; of a person's page, the sections that are shown. */
export function mayReadOfOthers(roles: readonly Role[], table: TableName): boolean {
  const grants: Grants = tables[table].select;
  return grants.member === 'all' || roles.some((role) => grants[role] !== undefined);
}

/** Whether these roles correct clock times, of others alone. */
export function mayCorrectAttendance(roles: readonly Role[]): boolean {
  const grants: Grants = tables.attendance.update;
  return roles.some((role) => grants[role] !== undefined);
}
