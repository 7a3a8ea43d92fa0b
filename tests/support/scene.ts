// A small company: two sites, the people of people.ts, and their rows in every table.
import type { Pool } from 'pg';
import type { TableName } from '#shared/permissions.ts';
import { addClient } from './client-scene.ts';
import {
  bystander,
  guardElsewhere,
  guardHere,
  type Person,
  people,
  type SiteKey,
} from './people.ts';
import { addAnnouncements } from './scene-announcements.ts';
import { addBilling, addQuote } from './scene-billing.ts';
import { addDispatch } from './scene-dispatch.ts';
import {
  addAlarms,
  addPlans,
  addPostLife,
  addRecords,
  addRequests,
  addTimesheets,
  addWatch,
  type SceneBase,
  type SceneFacts,
} from './scene-rows.ts';

export interface SceneRow extends SceneFacts {
  id: string;
}

export interface Scene {
  sites: Record<SiteKey, string>;
  /** The client of each site. */
  clients: Record<SiteKey, string>;
  courseId: string;
  /** A course that no certificate and no post needs. */
  spareCourseId: string;
  posts: Record<SiteKey, string>;
  /** An unassigned shift in the coming hours, by site. */
  openShifts: Record<SiteKey, string>;
  /** Assignment to today's shift without attendance, by person and site. */
  unattended: Map<string, string>;
  staffId: string;
  /** The site of the contract. */
  billedSite: string;
  rows: Record<TableName, SceneRow[]>;
}

const SITES: SiteKey[] = ['here', 'elsewhere'];

/**
 * Rules that allow any number of shifts in a row, for tests of clocking and counting. Shifts over 24 hours still need a
 * reason.
 */
export const LENIENT_RULES = `update rule_sets set min_rest_hours = 0, min_rest_override_hours = 0, weekly_rest_hours = 0,
  week_hours = 168, shift_hours = 24, consecutive_days = 31, consecutive_nights = 31`;

/** Builds the scene as the owner of the database. */
export async function buildScene(owner: Pool): Promise<Scene> {
  const one = async (sql: string, values: unknown[] = []): Promise<string> => {
    const { rows } = await owner.query<{ id: string }>(sql, values);
    const id = rows[0]?.id;
    if (id === undefined) throw new Error(`No row from: ${sql}`);
    return id;
  };
  const signedIn = [...people.filter((person) => person.claims !== null), bystander];
  const rows: Record<TableName, SceneRow[]> = {
    profiles: signedIn.map(({ id }) => ({ id, owner: id })),
    user_roles: [],
    clients: [],
    client_contacts: [],
    client_requests: [],
    sites: [],
    shifts: [],
    assignments: [],
    attendance: [],
    clock_events: [],
    devices: [],
    clock_exceptions: [],
    incidents: [],
    incident_updates: [],
    incident_reviews: [],
    incident_escalations: [],
    incident_goals: [],
    incident_templates: [],
    incident_letters: [],
    letter_acknowledgements: [],
    incident_notes: [],
    report_notes: [],
    evidence: [],
    training_courses: [],
    certifications: [],
    leave_requests: [],
    deployments: [],
    financial_statements: [],
    expense_reports: [],
    bank_accounts: [],
    loans: [],
    staff: [],
    payroll: [],
    pay_rates: [],
    rate_proposals: [],
    time_rules: [],
    company_holidays: [],
    timesheets: [],
    timesheet_days: [],
    time_segments: [],
    time_decisions: [],
    timesheet_disputes: [],
    pay_adjustments: [],
    pay_accounts: [],
    pay_bases: [],
    pay_items: [],
    pay_runs: [],
    payslips: [],
    payslip_lines: [],
    payment_formats: [],
    payments: [],
    payment_files: [],
    staff_ledger: [],
    contracts: [],
    contract_posts: [],
    rates: [],
    tax_rates: [],
    vat_registrations: [],
    vat_exemptions: [],
    vat_returns: [],
    vat_return_lines: [],
    tax_number_formats: [],
    pay_item_rules: [],
    company_numbers: [],
    pay_returns: [],
    pay_return_lines: [],
    billed_time: [],
    invoices: [],
    invoice_lines: [],
    credit_notes: [],
    credit_note_lines: [],
    receipts: [],
    receipt_allocations: [],
    invoice_mails: [],
    billing_settings: [],
    payment_accounts: [],
    refunds: [],
    disputes: [],
    payment_reminders: [],
    book_closings: [],
    book_entries: [],
    book_entry_lines: [],
    bank_feeds: [],
    bank_imports: [],
    bank_lines: [],
    bank_matches: [],
    setup_marks: [],
    chart_of_accounts: [],
    posts: [],
    post_courses: [],
    post_requirements: [],
    public_holidays: [],
    rule_sets: [],
    site_bans: [],
    site_inductions: [],
    availability: [],
    roster_changes: [],
    roster_pins: [],
    roster_periods: [],
    notices: [],
    saved_views: [],
    alerts: [],
    room_notes: [],
    watch_handovers: [],
    watch_corrections: [],
    welfare_checks: [],
    sos_events: [],
    service_calls: [],
    response_units: [],
    unit_members: [],
    unit_events: [],
    alarm_panels: [],
    panel_events: [],
    call_goals: [],
    inbound_messages: [],
    offers: [],
    announcements: [],
    announcement_readings: [],
    post_orders: [],
    checkpoints: [],
    handover_notes: [],
    equipment: [],
    handovers: [],
    post_entries: [],
    visits: [],
    key_movements: [],
    post_pages: [],
    withheld_lines: [],
    tours: [],
    checkpoint_scans: [],
    duty_notices: [],
    post_order_readings: [],
    replacement_calls: [],
    contact_messages: [],
    quotes: [],
    quote_lines: [],
    quote_mails: [],
    retention_rules: [],
    audit_log: [],
  };

  const siteId = (name: string) =>
    one(
      `insert into sites (name, client_name, address, latitude, longitude)
       values ($1, 'Client', 'Monrovia', 6.3, -10.8) returning id`,
      [name],
    );
  const sites = { here: await siteId('Here'), elsewhere: await siteId('Elsewhere') };
  const workers: Record<SiteKey, Person[]> = {
    here: [guardHere, bystander],
    elsewhere: [guardElsewhere],
  };

  for (const person of signedIn) {
    await owner.query(
      'insert into auth.users (id, email, raw_user_meta_data) values ($1, $2, $3)',
      [person.id, person.claims?.email, { full_name: person.name }],
    );
    if (person.setUp) await owner.query(person.setUp, [person.id]);
    for (const role of person.roles) {
      const id = await one(
        'insert into user_roles (user_id, role, site_id) values ($1, $2, $3) returning id',
        [person.id, role, person.supervises ? sites[person.supervises] : null],
      );
      rows.user_roles.push({ id, owner: person.id });
    }
  }

  const courseId = await one(
    `insert into training_courses (title) values ('Unarmed combat') returning id`,
  );
  rows.training_courses.push({ id: courseId, inUse: true });
  const spareCourseId = await one(
    `insert into training_courses (title) values ('Radio') returning id`,
  );
  rows.training_courses.push({ id: spareCourseId });
  const shift = (site: SiteKey, from: string, to: string) =>
    one(
      `insert into shifts (site_id, start_time, end_time)
       values ($1, now() + $2::interval, now() + $3::interval) returning id`,
      [sites[site], from, to],
    );
  const unattended = new Map<string, string>();
  const openShifts = { here: '', elsewhere: '' };
  for (const site of SITES) {
    const assigned = workers[site].map(({ id }) => id);
    rows.sites.push({ id: sites[site], site, assigned, inUse: true });
    openShifts[site] = await shift(site, '24 hours', '32 hours');
    rows.shifts.push({ id: openShifts[site], site });
    const present = await shift(site, '-15 hours', '-11 hours');
    const next = await shift(site, '2 hours', '10 hours');
    rows.shifts.push({ id: present, site, assigned, inUse: true }, { id: next, site, assigned });
    for (const worker of workers[site]) {
      const owner_ = worker.id;
      const assign = (shiftId: string) =>
        one('insert into assignments (shift_id, user_id) values ($1, $2) returning id', [
          shiftId,
          owner_,
        ]);
      const attended = await assign(present);
      const coming = await assign(next);
      unattended.set(`${owner_} ${site}`, coming);
      rows.assignments.push({ id: attended, owner: owner_, site, inUse: true });
      rows.assignments.push({ id: coming, owner: owner_, site });
      const clockIn = await one(
        `insert into attendance (assignment_id, clock_in_at, clock_in_gps)
         values ($1, now() - interval '14 hours', '6.3000,-10.8000') returning id`,
        [attended],
      );
      rows.attendance.push({ id: clockIn, owner: owner_, site });
      const event = await one(
        `insert into clock_events
           (user_id, assignment_id, attendance_id, site_id, kind, device_at, effective_at, hash, chain_intact, clock_off)
         values ($1, $2, $3, $4, 'in', now(), now(), repeat('0', 64), true, false) returning id`,
        [owner_, attended, clockIn, sites[site]],
      );
      rows.clock_events.push({ id: event, owner: owner_, site });
    }
  }
  rows.sites.push({ id: await siteId('Spare') });
  const insert: SceneBase['insert'] = async (table, sql, values, facts) => {
    const id = await one(`insert into ${table} ${sql} returning id`, values);
    rows[table].push({ id, ...facts });
    return id;
  };
  const base = { sites, workers, courseId, openShifts, unattended, one, insert };
  const posts = { here: '', elsewhere: '' };
  for (const site of SITES) {
    posts[site] = await addPlans(base, site);
    await addAlarms(base, site);
    await addPostLife(base, site);
    await addTimesheets(base, site);
  }
  await addWatch(base);
  await addDispatch(base);
  await addAnnouncements(base);
  const clients = { here: '', elsewhere: '' };
  for (const site of SITES) clients[site] = await addClient(base, site);
  const staffIds: string[] = [];
  for (const person of signedIn.filter(({ isContact }) => !isContact)) {
    await addRequests(base, person);
    staffIds.push(await addRecords(base, person));
  }
  rows.pay_accounts.push({
    id: await one(
      `insert into pay_accounts (staff_id, channel, account_name) values ($1, 'cash', 'Account') returning id`,
      [staffIds.at(-1)],
    ),
  });

  const plain: [TableName, string][] = [
    [
      'public_holidays',
      `insert into public_holidays (day, name) values ('2026-12-25', 'Christmas Day')`,
    ],
    [
      'rule_sets',
      `insert into rule_sets (name, effective_from) values ('Next year', '2030-01-01')`,
    ],
    [
      'time_rules',
      `insert into time_rules (name, effective_from) values ('Next year', '2030-01-01')`,
    ],
    [
      'incident_templates',
      `insert into incident_templates (title, category, severity, questions)
        values ('Fence damaged', 'property', 'medium', 'Where is it?')`,
    ],
    [
      'incident_goals',
      `insert into incident_goals (name, effective_from) values ('Next year', '2030-01-01')`,
    ],
    [
      'company_holidays',
      `insert into company_holidays (day, name) values ('2030-01-02', 'Founders'' Day')`,
    ],
    ['roster_periods', `insert into roster_periods (starts_on) values ('2030-01-07')`],
    [
      'clients',
      `insert into clients (name, number_of_guards, monthly_rate, location) values ('Bank', 4, 900, 'Sinkor')`,
    ],
    [
      'deployments',
      `insert into deployments (guard_name, location, shift_start, shift_end) values ('Guard', 'Gate', now(), now() + interval '1 hour')`,
    ],
    [
      'financial_statements',
      `insert into financial_statements (title, period_start, period_end) values ('October', '2026-10-01', '2026-10-31')`,
    ],
    [
      'expense_reports',
      `insert into expense_reports (title, amount, category, expense_date, report_type) values ('Fuel', 20, 'transport', '2026-10-02', 'daily')`,
    ],
    [
      'bank_accounts',
      `insert into bank_accounts (account_number, account_title, bank_name) values ('001', 'Operations', 'Ecobank')`,
    ],
    [
      'loans',
      `insert into loans (loan_account_number, account_title, bank_name) values ('L1', 'Vehicles', 'LBDI')`,
    ],
    [
      'pay_rates',
      `insert into pay_rates (kind, effective_from, rate, source) values ('lrd_per_usd', '2027-01-01', 190, 'Central bank')`,
    ],
    // Only of the history: the books stay open.
    ['book_closings', `insert into book_closings (kind, closed_to) values ('close', '2021-01-31')`],
    ['setup_marks', `insert into setup_marks (step, mark) values ('messages', 'later')`],
    [
      'rate_proposals',
      `insert into rate_proposals (kind, effective_from, rate, source) values ('lrd_per_usd', '2032-01-01', 195, 'Central bank')`,
    ],
    [
      'contact_messages',
      `insert into contact_messages (name, email, message) values ('Visitor', 'v@x.example', 'Please call me back.')`,
    ],
  ];
  for (const [table, sql] of plain) {
    rows[table].push({ id: await one(`${sql} returning id`) });
  }
  const staffOf = (person: Person) => one('select id from staff where user_id = $1', [person.id]);
  const bases = `insert into pay_bases (staff_id, effective_from, amount) values ($1, '2028-01-01', 160) returning id`;
  rows.pay_bases.push({ id: await one(bases, [await staffOf(bystander)]) });
  for (const [table, sql] of [
    ['pay_items', `(staff_id, kind, name, amount) values ($1, 'allowance', 'Transport', 5)`],
    ['staff_ledger', `(staff_id, entry, kind, amount) values ($1, 'issue', 'advance', 20)`],
  ] as const) {
    const id = await one(`insert into ${table} ${sql} returning id`, [await staffOf(bystander)]);
    rows[table].push({ id });
  }
  const run = await one(`insert into pay_runs (pay_group, currency, period_start, period_end)
    values ('monthly', 'USD', '2027-03-01', '2027-03-31') returning id`);
  rows.pay_runs.push({ id: run });
  const newRun = `insert into pay_runs (pay_group, currency, period_start, period_end)
    values ('monthly', 'USD', '2027-04-01', '2027-04-30') returning id`;
  // The last one is not published, so its person doesn't see it either.
  for (const [person, runId, isPublished] of [
    [guardHere, run, true],
    [bystander, run, true],
    [guardHere, await one(newRun), false],
  ] as const) {
    const { rows: written } = await owner.query<{ slip: string; line: string }>(
      `with slip as (
         insert into payslips (pay_run_id, staff_id, user_id, currency, gross, deductions, net, published_at)
         values ($1, $2, $3, 'USD', 150, 0, 150, case when $4 then now() end) returning id
       )
       insert into payslip_lines (payslip_id, position, kind, label, amount)
       select id, 1, 'salary', 'Salary', 150 from slip returning payslip_id as slip, id as line`,
      [runId, await staffOf(person), person.id, isPublished],
    );
    const facts = isPublished ? { owner: person.id } : {};
    for (const { slip, line } of written) {
      rows.payslips.push({ id: slip, ...facts });
      rows.payslip_lines.push({ id: line, ...facts });
    }
  }
  rows.payment_formats.push({ id: await one('select id from payment_formats limit 1') });
  rows.call_goals.push({ id: await one(`select id from call_goals where priority = 'danger'`) });
  rows.retention_rules.push({ id: await one('select id from retention_rules limit 1') });
  rows.billing_settings.push({ id: await one('select id from billing_settings') });
  const rule = `(kind, effective_from, months, source) values ('severance', '2190-01-01', 1, 'Scene')`;
  await insert('pay_item_rules', rule, [], {});
  rows.tax_number_formats.push({ id: await one('select id from tax_number_formats limit 1') });
  rows.company_numbers.push({ id: await one('select id from company_numbers') });
  const payReturn = await one(
    `insert into pay_returns (kind, month, lrd_per_usd) values ('paye', '2027-03-01', 190) returning id`,
  );
  rows.pay_returns.push({ id: payReturn });
  rows.pay_return_lines.push({
    id: await one(
      `insert into pay_return_lines (return_id, kind, payslip_id, pay_run_id, staff_id, is_reversal, month, tax_resident,
         currency, gross, taxable, tax, employee, employer)
       select $1, 'paye', s.id, s.pay_run_id, s.staff_id, false, '2027-03-01', true, 'USD', 150, 150, 0, 0, 0
       from payslips s where s.id = $2 returning id`,
      [payReturn, rows.payslips[0]?.id],
    ),
  });
  rows.chart_of_accounts.push({ id: await one('select id from chart_of_accounts limit 1') });
  const file = `(pay_run_id, number, channel, currency, content, line_count, control_total, sha256)
    values ($1, 1, 'cash', 'USD', '150.00', 1, 150, repeat('0', 64))`;
  await insert('payment_files', file, [run], {});
  await insert(
    'payments',
    `(payslip_id, pay_run_id, staff_id, currency, amount)
     select s.id, s.pay_run_id, s.staff_id, s.currency, s.net from payslips s where s.id = $1`,
    [rows.payslips[0]?.id],
    {},
  );
  const billedSite = await addBilling(base);
  for (const { id } of rows.contact_messages) await addQuote(base, id);
  rows.audit_log.push({ id: await one('select id from audit_log limit 1') });
  return {
    sites,
    clients,
    courseId,
    spareCourseId,
    posts,
    openShifts,
    unattended,
    staffId: staffIds[0] ?? '',
    billedSite,
    rows,
  };
}
