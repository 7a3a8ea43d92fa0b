// A small company: two sites, the people of people.ts, and their rows in every table.
import type { Pool } from 'pg';
import type { TableName } from '#shared/permissions.ts';
import {
  bystander,
  guardElsewhere,
  guardHere,
  hr,
  type Person,
  people,
  type SiteKey,
} from './people.ts';
import type { RowFacts } from './permission-expectation.ts';

export interface SceneRow extends RowFacts {
  id: string;
  /** Whether other rows reference it, so that deleting fails even with permission. */
  inUse?: boolean;
}

export interface Scene {
  sites: Record<SiteKey, string>;
  courseId: string;
  /** A course that no certificate and no post needs. */
  spareCourseId: string;
  posts: Record<SiteKey, string>;
  /** An unassigned shift in the coming hours, by site. */
  openShifts: Record<SiteKey, string>;
  /** Assignment to today's shift without attendance, by person and site. */
  unattended: Map<string, string>;
  /** Incident that the person reported at the site; null for one of the bystander's. */
  staffId: string;
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
    sites: [],
    shifts: [],
    assignments: [],
    attendance: [],
    clock_events: [],
    devices: [],
    clock_exceptions: [],
    incidents: [],
    incident_updates: [],
    incident_letters: [],
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
    time_rules: [],
    company_holidays: [],
    timesheets: [],
    timesheet_days: [],
    time_segments: [],
    time_decisions: [],
    timesheet_disputes: [],
    pay_adjustments: [],
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
    alerts: [],
    room_notes: [],
    welfare_checks: [],
    sos_events: [],
    inbound_messages: [],
    offers: [],
    post_orders: [],
    checkpoints: [],
    handover_notes: [],
    equipment: [],
    handovers: [],
    tours: [],
    checkpoint_scans: [],
    post_order_readings: [],
    replacement_calls: [],
    contact_messages: [],
    audit_log: [],
  };

  const siteId = (name: string) =>
    one(
      `insert into sites (name, client_name, address, latitude, longitude)
       values ($1, 'Client', 'Monrovia', 6.3, -10.8) returning id`,
      [name],
    );
  const sites = { here: await siteId('Here'), elsewhere: await siteId('Elsewhere') };
  /** A post with the guards' shift, its requirement, and what the roster of the site knows. @returns the post */
  const addPlans = async (site: SiteKey): Promise<string> => {
    const add = async (table: TableName, columns: string, values: unknown[]): Promise<string> => {
      const places = values.map((_, index) => `$${index + 1}`).join(', ');
      const id = await one(
        `insert into ${table} (${columns}) values (${places}) returning id`,
        values,
      );
      rows[table].push({ id, site });
      return id;
    };
    const post = await one(`insert into posts (site_id, name) values ($1, 'Gate') returning id`, [
      sites[site],
    ]);
    rows.posts.push({ id: post, site, assigned: workers[site].map(({ id }) => id) });
    await owner.query('update shifts set post_id = $1 where site_id = $2', [post, sites[site]]);
    await add('post_courses', 'post_id, course_id', [post, courseId]);
    await add('post_requirements', 'post_id, valid_from, cycle_days, slots', [
      post,
      '2030-01-01',
      1,
      JSON.stringify([{ slot: 1, day: 0, start: '06:00', minutes: 720, headcount: 1 }]),
    ]);
    await add('site_bans', 'site_id, user_id, reason', [sites[site], hr.id, 'Asked to leave']);
    const device = await add('devices', 'site_id, name', [sites[site], 'Gate tablet']);
    await add('clock_exceptions', 'device_id, site_id, user_id, kind, device_at, reason', [
      device,
      sites[site],
      bystander.id,
      'in',
      new Date(),
      'wrong_pin',
    ]);
    await add('site_inductions', 'site_id, user_id', [sites[site], bystander.id]);
    await add('roster_changes', 'shift_id, user_id, change', [
      openShifts[site],
      bystander.id,
      'assign',
    ]);
    await add('roster_pins', 'shift_id, user_id', [openShifts[site], bystander.id]);
    await add('replacement_calls', 'shift_id, user_id, result, site_id', [
      openShifts[site],
      bystander.id,
      'no_answer',
      sites[site],
    ]);
    return post;
  };
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
  const posts = { here: '', elsewhere: '' };
  for (const site of SITES) {
    posts[site] = await addPlans(site);
    const alert = await one(
      `insert into alerts (kind, cause, shift_id, site_id) values ('empty', 'empty:' || $1::uuid, $1, $2) returning id`,
      [openShifts[site], sites[site]],
    );
    rows.alerts.push({ id: alert, site });
    const note = await one(
      `insert into room_notes (body, site_id) values ('The gate is broken.', $1) returning id`,
      [sites[site]],
    );
    rows.room_notes.push({ id: note, site });
    const message = await one(
      `insert into inbound_messages (provider_id, kind, from_phone, site_id, outcome)
       values ($1, 'text', '+231770000000', $2, 'no_shift') returning id`,
      [`generic:${site}`, sites[site]],
    );
    rows.inbound_messages.push({ id: message, site });
    for (const { id: owner_ } of workers[site]) {
      const check = await one(
        `insert into welfare_checks (assignment_id, shift_id, user_id, site_id, due_at, every_minutes)
         select a.id, a.shift_id, a.user_id, a.site_id, now() - interval '12 hours', 60
         from assignments a where a.id = $1 returning id`,
        [unattended.get(`${owner_} ${site}`)],
      );
      rows.welfare_checks.push({ id: check, owner: owner_, site });
      const sos = await one(
        `insert into sos_events (user_id, site_id) values ($1, $2) returning id`,
        [owner_, sites[site]],
      );
      rows.sos_events.push({ id: sos, owner: owner_, site });
    }
  }

  for (const site of SITES) {
    const assigned = workers[site].map(({ id }) => id);
    const order = await one(
      `insert into post_orders (site_id, title, body) values ($1, 'Orders', '# At the gate') returning id`,
      [sites[site]],
    );
    rows.post_orders.push({ id: order, site, assigned });
    const piece = await one(
      `insert into equipment (site_id, name) values ($1, 'Radio') returning id`,
      [sites[site]],
    );
    rows.equipment.push({ id: piece, site, assigned });
    const note = await one(
      `insert into handover_notes (site_id, user_id, note, written_at) values ($1, $2, 'All quiet', now()) returning id`,
      [sites[site], bystander.id],
    );
    rows.handover_notes.push({ id: note, site, assigned });
    const handover = await one(
      `insert into handovers (site_id, user_id, ticks, taken_at)
       values ($1, $2, jsonb_build_array(jsonb_build_object('equipment_id', $3::uuid, 'name', 'Radio', 'has', true)), now())
       returning id`,
      [sites[site], bystander.id, piece],
    );
    rows.handovers.push({ id: handover, site, assigned });
    const checkpoint = await one(
      `insert into checkpoints (site_id, name) values ($1, 'Gate') returning id`,
      [sites[site]],
    );
    rows.checkpoints.push({ id: checkpoint, site, inUse: true });
    const tour = await one(
      `insert into tours (site_id, name, times, checkpoints) values ($1, 'Night', '{23:00}', array[$2::uuid]) returning id`,
      [sites[site], checkpoint],
    );
    rows.tours.push({ id: tour, site });
    for (const { id: owner_ } of workers[site]) {
      const scan = await one(
        `insert into checkpoint_scans (checkpoint_id, user_id, site_id, code, way, scanned_at, device_at)
         values ($1, $2, $3, '01', 'typed', now(), now()) returning id`,
        [checkpoint, owner_, sites[site]],
      );
      rows.checkpoint_scans.push({ id: scan, owner: owner_, site });
      const reading = await one(
        `insert into post_order_readings (order_id, user_id, site_id, read_at) values ($1, $2, $3, now()) returning id`,
        [order, owner_, sites[site]],
      );
      rows.post_order_readings.push({ id: reading, owner: owner_, site });
    }
  }

  const rules = await one(`select id from time_rules`);
  for (const site of SITES) {
    for (const { id: owner_ } of workers[site]) {
      const facts = { owner: owner_, site };
      const sheet = await one(
        `insert into timesheets (user_id, period_start, period_end, site_ids)
         values ($1, '2026-09-01', '2026-09-30', array[$2::uuid]) returning id`,
        [owner_, sites[site]],
      );
      rows.timesheets.push({ id: sheet, ...facts });
      const day = await one(
        `insert into timesheet_days (timesheet_id, user_id, day, planned_minutes, worked_minutes, paid_minutes,
           missing_minutes, credited_minutes, issues, explanations)
         values ($1, $2, '2026-09-01', 720, 60, 60, 660, 0, '{}', '[]') returning id`,
        [sheet, owner_],
      );
      rows.timesheet_days.push({ id: day, ...facts });
      const segment = await one(
        `insert into time_segments (timesheet_id, user_id, day, starts_at, ends_at, class, rule, rate, time_rule_id)
         values ($1, $2, '2026-09-01', '2026-09-01T08:00Z', '2026-09-01T09:00Z', 'regular', 'worked', 1, $3) returning id`,
        [sheet, owner_, rules],
      );
      rows.time_segments.push({ id: segment, ...facts });
      const decision = await one(
        `insert into time_decisions (attendance_id, user_id, site_id, kind, approved)
         select id, user_id, site_id, 'stayed_on', true from attendance where user_id = $1 returning id`,
        [owner_],
      );
      rows.time_decisions.push({ id: decision, ...facts });
      const dispute = await one(
        `insert into timesheet_disputes (timesheet_id, user_id, day, note)
         values ($1, $2, '2026-09-02', 'I worked that day.') returning id`,
        [sheet, owner_],
      );
      rows.timesheet_disputes.push({ id: dispute, ...facts });
      const adjustment = await one(
        `insert into pay_adjustments (user_id, kind, period_start, period_end, explanation)
         values ($1, 'manual', '2026-09-01', '2026-09-30', 'A day was forgotten.') returning id`,
        [owner_],
      );
      rows.pay_adjustments.push({ id: adjustment, ...facts });
    }
  }

  for (const { id: owner_ } of signedIn) {
    rows.availability.push({
      id: await one(
        `insert into availability (user_id, kind, weekday) values ($1, 'unavailable', 6) returning id`,
        [owner_],
      ),
      owner: owner_,
    });
    for (const site of SITES) {
      rows.offers.push({
        id: await one(
          `insert into offers (kind, shift_id, user_id, status, site_id) values ('bid', $1, $2, 'open', $3) returning id`,
          [openShifts[site], owner_, sites[site]],
        ),
        owner: owner_,
        site,
      });
    }
    rows.notices.push({
      id: await one(
        `insert into notices (user_id, kind, title) values ($1, 'roster', 'New roster') returning id`,
        [owner_],
      ),
      owner: owner_,
    });
  }

  const staffIds: string[] = [];
  for (const person of signedIn) {
    const site: SiteKey = person === guardElsewhere ? 'elsewhere' : 'here';
    const facts = { owner: person.id, site, assigned: workers[site].map(({ id }) => id) };
    const incident = await one(
      `insert into incidents (site_id, raised_by_user_id, title, category, severity, description)
       values ($1, $2, 'Broken fence', 'security', 'low', 'The fence at the back gate is broken.') returning id`,
      [sites[site], person.id],
    );
    rows.incidents.push({ id: incident, ...facts });
    const update = await one(
      `insert into incident_updates (incident_id, from_status, to_status) values ($1, 'open', 'open') returning id`,
      [incident],
    );
    rows.incident_updates.push({ id: update, ...facts });
    await owner.query(
      `insert into incident_notes (id, incident_id, note) values ($1, $2, 'The client was informed.')`,
      [update, incident],
    );
    rows.incident_notes.push({ id: update, ...facts });
    const reportNote = await one(
      `insert into report_notes (incident_id, note, created_by) values ($1, 'It was a blue car.', $2) returning id`,
      [incident, person.id],
    );
    rows.report_notes.push({ id: reportNote, ...facts });
    const letter = await one(
      `insert into incident_letters (incident_id, version, addressee, subject, summary, signatory, facts)
       values ($1, 1, 'The client', 'Broken fence', 'The fence was broken at night.', 'Operations', '{}') returning id`,
      [incident],
    );
    rows.incident_letters.push({ id: letter, ...facts });
    const evidence = await one(
      `insert into evidence (incident_id, type, url) values ($1::uuid, 'image/jpeg', $1::uuid || '/fence.jpg') returning id`,
      [incident],
    );
    rows.evidence.push({ id: evidence, ...facts });
    const certificate = await one(
      `insert into certifications (user_id, course_id, expires_at)
       values ($1, $2, now() + interval '20 days') returning id`,
      [person.id, courseId],
    );
    rows.certifications.push({ id: certificate, owner: person.id });
    const leave = await one(
      `insert into leave_requests (user_id, type, start_date, end_date, reason)
       values ($1, 'annual', current_date + 40, current_date + 44, 'Family') returning id`,
      [person.id],
    );
    rows.leave_requests.push({ id: leave, owner: person.id });
    const staffId = await one(
      `insert into staff (full_name, salary_amount, user_id) values ($1, 150, $2) returning id`,
      [person.name, person.id],
    );
    staffIds.push(staffId);
    rows.staff.push({ id: staffId, owner: person.id, inUse: true });
    const payslip = await one(
      `insert into payroll (staff_id, period_start, period_end, base_amount)
       values ($1, '2026-10-01', '2026-10-31', 150) returning id`,
      [staffId],
    );
    rows.payroll.push({ id: payslip, owner: person.id });
  }

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
    [
      'contact_messages',
      `insert into contact_messages (name, email, message) values ('Visitor', 'v@x.example', 'Please call me back.')`,
    ],
  ];
  for (const [table, sql] of plain) {
    rows[table].push({ id: await one(`${sql} returning id`) });
  }
  rows.audit_log.push({ id: await one('select id from audit_log limit 1') });
  return {
    sites,
    courseId,
    spareCourseId,
    posts,
    openShifts,
    unattended,
    staffId: staffIds[0] ?? '',
    rows,
  };
}
