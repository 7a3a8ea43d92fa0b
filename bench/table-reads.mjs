// The table reads that supabase-js clients of this app make, each as the account that makes it, and the dashboard call.

const PAGE = 50;
const MONTH_MS = 30 * 86_400_000;

const today = () => {
  const start = new Date();
  start.setUTCHours(0, 0, 0, 0);
  return start.toISOString();
};
const now = () => new Date().toISOString();

/**
 * @typedef {import('@supabase/supabase-js').SupabaseClient} Client
 * @typedef {{ what: string, account: string, goal: number, read: (client: Client, ids: { user: string, incident: string, assignment: string }) => PromiseLike<{ error: unknown }> }} Read
 */

/** Milliseconds, median. */
const LIST = 5;
const DASHBOARD = 15;

const read = (what, account, run, goal = LIST) => ({ what, account, goal, read: run });
/** The same read for several accounts with different policies. */
const reads = (what, accounts, run) => accounts.map((account) => read(what, account, run));

const shiftList = (client) =>
  client
    .from('shifts')
    .select('*, sites(id, name), assignments(id, status, user_id)')
    .gte('start_time', now())
    .order('start_time');
const incidentList = (client) =>
  client
    .from('incidents')
    .select('*, sites(name), evidence(id, type, url)')
    .order('created_at', { ascending: false });
const assignmentColumns =
  'id, status, role_at_shift, shifts!inner(id, start_time, end_time, sites(name, address, client_name)), attendance(*)';

/** @type {Read[]} */
export const TABLE_READS = [
  ...reads('own roles, with the site', ['admin', 'supervisor', 'guard'], (client, { user }) =>
    client.from('user_roles').select('user_id, role, site_id, sites(name)').eq('user_id', user),
  ),
  read('all roles', 'admin', (client) =>
    client.from('user_roles').select('user_id, role, site_id, sites(name)'),
  ),
  ...reads('profiles, a page', ['admin', 'hr', 'supervisor'], (client) =>
    client
      .from('profiles')
      .select('id, email, full_name, created_at')
      .order('created_at', { ascending: false })
      .limit(PAGE),
  ),
  read('profiles, all', 'admin', (client) =>
    client
      .from('profiles')
      .select('id, email, full_name, created_at')
      .order('created_at', { ascending: false }),
  ),
  read('own profile', 'guard', (client, { user }) =>
    client.from('profiles').select('*').eq('id', user).single(),
  ),
  ...reads('sites by name', ['admin', 'supervisor', 'guard'], (client) =>
    client.from('sites').select('*').order('name'),
  ),
  read('site choices', 'guard', (client) =>
    client.from('site_options').select('id, name').order('name'),
  ),
  ...reads('shifts of today, count', ['admin', 'supervisor'], (client) =>
    client
      .from('shifts')
      .select('*', { count: 'exact', head: true })
      .gte('start_time', today())
      .lt('start_time', new Date(Date.parse(today()) + 86_400_000).toISOString()),
  ),
  ...reads('upcoming shifts, a page', ['admin', 'supervisor', 'dispatcher'], (client) =>
    shiftList(client).limit(PAGE),
  ),
  ...reads('open incidents, 5', ['admin', 'supervisor'], (client) =>
    client
      .from('incidents')
      .select('*, sites(name)')
      .eq('status', 'open')
      .order('created_at', { ascending: false })
      .limit(5),
  ),
  ...reads('incidents, a page', ['admin', 'supervisor'], (client) =>
    incidentList(client).limit(PAGE),
  ),
  ...reads('incidents by status and severity', ['admin', 'supervisor'], (client) =>
    incidentList(client).eq('status', 'investigating').eq('severity', 'high'),
  ),
  ...reads('latest 5 incidents', ['guard', 'dispatcher'], (client) =>
    client
      .from('incidents')
      .select('id, title, severity, status, created_at')
      .order('created_at', { ascending: false })
      .limit(5),
  ),
  ...reads('assignments without attendance, count', ['admin', 'supervisor'], (client) =>
    client
      .from('assignments')
      .select('id', { count: 'exact', head: true })
      .eq('attendance_state', 'none')
      .neq('status', 'cancelled')
      .lt('starts_at', now()),
  ),
  ...reads('own assignments from today', ['guard', 'guard2'], (client, { user }) =>
    client
      .from('assignments')
      .select(assignmentColumns)
      .eq('user_id', user)
      .gte('shifts.start_time', today())
      .order('shifts(start_time)'),
  ),
  read('own shift of today', 'guard', (client, { user }) =>
    client
      .from('assignments')
      .select(assignmentColumns)
      .eq('user_id', user)
      .gte('shifts.start_time', today())
      .lt('shifts.start_time', new Date(Date.parse(today()) + 86_400_000).toISOString())
      .maybeSingle(),
  ),
  read('own shift now (my_current_shift)', 'guard', (client) => client.rpc('my_current_shift')),
  read('open attendance of an assignment', 'guard', (client, { assignment }) =>
    client
      .from('attendance')
      .select('*')
      .eq('assignment_id', assignment)
      .is('clock_out_at', null)
      .maybeSingle(),
  ),
  ...reads('attendance of today, a page', ['admin', 'supervisor', 'hr'], (client) =>
    client
      .from('attendance')
      .select('*, assignments(id, role_at_shift, shifts(start_time, end_time, sites(name)))')
      .gte('clock_in_at', today())
      .order('clock_in_at', { ascending: false })
      .limit(PAGE),
  ),
  ...reads('certifications about to expire, 5', ['admin', 'hr'], (client) =>
    client
      .from('certifications')
      .select('id, user_id, expires_at, training_courses(title)')
      .gte('expires_at', now())
      .lte('expires_at', new Date(Date.now() + MONTH_MS).toISOString())
      .order('expires_at')
      .limit(5),
  ),
  ...reads('leave requests, a page', ['hr', 'guard'], (client) =>
    client.from('leave_requests').select('*').order('start_date', { ascending: false }).limit(PAGE),
  ),
  read('active staff, count', 'admin', (client) =>
    client.from('staff').select('*', { count: 'exact', head: true }).eq('status', 'active'),
  ),
  read('staff, a page', 'admin', (client) =>
    client.from('staff').select('*').order('created_at', { ascending: false }).limit(PAGE),
  ),
  read('staff, all', 'admin', (client) =>
    client.from('staff').select('*').order('created_at', { ascending: false }),
  ),
  read('active staff by name', 'admin', (client) =>
    client.from('staff').select('id, full_name').eq('status', 'active').order('full_name'),
  ),
  ...reads('payroll, a page', ['admin', 'guard'], (client) =>
    client
      .from('payroll')
      .select('*, staff(full_name, role)')
      .order('created_at', { ascending: false })
      .limit(PAGE),
  ),
  read('evidence of an incident', 'admin', (client, { incident }) =>
    client.from('evidence').select('*').eq('incident_id', incident),
  ),
  ...reads('deployments', ['guard', 'admin'], (client) =>
    client.from('deployments').select('*').order('shift_start', { ascending: false }),
  ),
  read('clients by name', 'ops', (client) => client.from('clients').select('*').order('name')),
  read('financial statements', 'admin', (client) =>
    client.from('financial_statements').select('*').order('period_start', { ascending: false }),
  ),
  read('expense reports, a page', 'admin', (client) =>
    client
      .from('expense_reports')
      .select('*')
      .order('expense_date', { ascending: false })
      .limit(PAGE),
  ),
  read('bank accounts', 'admin', (client) =>
    client.from('bank_accounts').select('*').order('created_at', { ascending: false }),
  ),
  read('bank accounts by bank', 'admin', (client) =>
    client.from('bank_accounts').select('*').order('bank_name'),
  ),
  read('loans', 'admin', (client) =>
    client.from('loans').select('*').order('created_at', { ascending: false }),
  ),
  read('cash flow: bank accounts', 'admin', (client) =>
    client.from('bank_accounts').select('currency, current_balance, balance_type'),
  ),
  read('cash flow: loans', 'admin', (client) =>
    client.from('loans').select('currency, current_balance, total_debit, total_credit'),
  ),
  read('cash flow: statements', 'admin', (client) =>
    client.from('financial_statements').select('total_revenue, total_expenses'),
  ),
  read('cash flow: expenses', 'admin', (client) => client.from('expense_reports').select('amount')),
  read('cash flow in one call (cashflow)', 'admin', (client) => client.rpc('cashflow')),
  read('enquiries', 'ops', (client) =>
    client
      .from('contact_messages')
      .select('*')
      .order('created_at', { ascending: false })
      .limit(PAGE),
  ),
  read('activity, a page', 'admin', (client) =>
    client.from('audit_log').select('*').order('at', { ascending: false }).limit(PAGE),
  ),
  ...['admin', 'ops', 'supervisor'].map((account) =>
    read(
      'dashboard in one call (dashboard_figures)',
      account,
      (client) => client.rpc('dashboard_figures'),
      DASHBOARD,
    ),
  ),
  // The same count by the missing attendance row, without the derived column.
  read(
    'assignments without a record of attendance, count',
    'admin',
    (client) =>
      client
        .from('assignments')
        .select('id, shifts!inner(start_time), attendance!left(id)', { count: 'exact', head: true })
        .lt('shifts.start_time', now())
        .is('attendance', null),
    Number.NaN,
  ),
  // More than a page: up to max_rows in config.toml.
  read('upcoming shifts, 1000 rows', 'admin', shiftList, Number.NaN),
  read('incidents, all', 'admin', incidentList, Number.NaN),
  read(
    'payroll, 1000 rows',
    'admin',
    (client) =>
      client
        .from('payroll')
        .select('*, staff(full_name, role)')
        .order('created_at', { ascending: false }),
    Number.NaN,
  ),
  read(
    'expense reports, 1000 rows',
    'admin',
    (client) =>
      client.from('expense_reports').select('*').order('expense_date', { ascending: false }),
    Number.NaN,
  ),
];
