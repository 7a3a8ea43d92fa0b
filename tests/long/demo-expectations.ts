/** Load time of both companies: a Tuesday morning. */
export const NOW = new Date('2026-03-03T10:30:00Z');

export const VOLUMES: Record<string, number> = {
  clients: 67,
  sites: 90,
  assignments: 40_000,
  incidents: 600,
  expense_reports: 3_000,
  financial_statements: 30,
};

/** Tables whose triggers compute values: saving a row again shows what the load got wrong. */
export const WITH_RULES = [
  'profiles',
  'clients',
  'sites',
  'shifts',
  'assignments',
  'attendance',
  'incidents',
  'evidence',
  'certifications',
  'leave_requests',
  'deployments',
  'contact_messages',
  'financial_statements',
  'expense_reports',
  'bank_accounts',
  'loans',
  'staff',
  'payroll',
  'pay_accounts',
  'contracts',
  'contract_posts',
  'rates',
  'posts',
  'post_requirements',
  'roster_changes',
];

/** What occurs, where, and how often at least. */
export const AT_LEAST: [what: string, where: string, least: number][] = [
  ['late clock-ins', 'public.attendance where late_minutes > 0', 1_500],
  [
    'overtime',
    `public.attendance r join public.shifts s on s.site_id = r.site_id
     join public.assignments a on a.id = r.assignment_id and a.shift_id = s.id
     where r.clock_out_at > s.end_time + interval '30 minutes'`,
    500,
  ],
  [
    'people clocked in now',
    `public.assignments where attendance_state = 'in' and upper(period) > '${NOW.toISOString()}'`,
    100,
  ],
  [
    'forgotten clock-outs',
    `public.assignments where attendance_state = 'in' and upper(period) < '${NOW.toISOString()}'`,
    5,
  ],
  ['no-shows', `public.assignments where status = 'no_show'`, 30],
  ['night shifts over midnight', 'public.shifts where start_time::date <> end_time::date', 5_000],
  ['corrections', 'public.attendance where corrected_by is not null', 200],
  ['records to review', 'public.attendance where needs_review', 5],
  [
    'certificates about to expire',
    `public.certifications where expires_at between '${NOW.toISOString()}' and '2026-04-02T10:30Z'`,
    10,
  ],
  ['steps of incidents', 'public.incident_updates', 900],
  ['notes on incidents', 'public.incident_notes', 200],
  ['notes of reporters', 'public.report_notes', 60],
  ['evidence', 'public.evidence', 40],
  ['owned incidents', 'public.incidents where owner_id is not null', 300],
  ['letters to clients', 'public.incident_letters', 10],
  ['cash clients', `public.clients where payment_method = 'cash'`, 5],
  ['shared devices', 'public.devices', 2],
  ['clock events from shared devices', `public.attendance where clock_in_way = 'device'`, 20],
  ['recent activity', 'public.audit_log', 200],
];

/** Columns, and how many different values each has. */
export const STATES: [what: string, table: string, column: string, states: number][] = [
  ['leave', 'public.leave_requests', 'status', 4],
  ['incidents', 'public.incidents', 'status', 4],
  ['enquiries', 'public.contact_messages', 'state', 3],
  ['stages of enquiries', 'public.contact_messages', 'stage', 5],
  ['quotes', 'public.quotes', 'status', 3],
  ['deployments', 'public.deployments', 'status', 4],
  ['payroll', 'public.payroll', 'payment_status', 3],
  ['bank accounts', 'public.bank_accounts', 'currency || balance_type', 4],
  ['states of bank accounts', 'public.bank_accounts', 'status', 3],
  ['loans', 'public.loans', 'currency', 2],
  ['states of loans', 'public.loans', 'status', 3],
  ['ways to pay', 'public.clients', 'payment_method', 5],
  ['roles', 'public.user_roles', 'role', 7],
  ['channels of pay', 'public.pay_accounts', 'channel', 4],
];
