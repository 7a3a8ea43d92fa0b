// The rows of the small company that belong to a site or to a person. scene.ts builds its people, sites and shifts.
import type { TableName } from '#shared/permissions.ts';
import { bystander, guardElsewhere, hr, type Person, type SiteKey } from './people.ts';
import type { RowFacts } from './permission-expectation.ts';

export interface SceneFacts extends RowFacts {
  /** Whether other rows reference it, so that deleting fails even with permission. */
  inUse?: boolean;
}

/** What exists before, and how to add to it. */
export interface SceneBase {
  sites: Record<SiteKey, string>;
  workers: Record<SiteKey, Person[]>;
  courseId: string;
  openShifts: Record<SiteKey, string>;
  unattended: Map<string, string>;
  /** @returns the id that a query finds */
  one: (sql: string, values?: unknown[]) => Promise<string>;
  /** @param sql columns and values @returns the id of the new row */
  insert: (table: TableName, sql: string, values: unknown[], facts: SceneFacts) => Promise<string>;
}

/** A post with the guards' shift, its requirement, and what the roster of the site knows. @returns the post */
export async function addPlans(base: SceneBase, site: SiteKey): Promise<string> {
  const { sites, workers, openShifts, courseId, one, insert } = base;
  const add = (table: TableName, columns: string, values: unknown[]): Promise<string> => {
    const places = values.map((_, index) => `$${index + 1}`).join(', ');
    return insert(table, `(${columns}) values (${places})`, values, { site });
  };
  const assigned = workers[site].map(({ id }) => id);
  const post = await insert('posts', `(site_id, name) values ($1, 'Gate')`, [sites[site]], {
    site,
    assigned,
  });
  await one('update shifts set post_id = $1 where site_id = $2 returning id', [post, sites[site]]);
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
}

/** What the control room hands over, of all sites. */
export async function addWatch({ insert }: SceneBase): Promise<void> {
  const handover = await insert(
    'watch_handovers',
    `(from_at, facts) values (now(), $1)`,
    ['{}'],
    {},
  );
  await insert(
    'watch_corrections',
    `(handover_id, body) values ($1, 'Read again.')`,
    [handover],
    {},
  );
}

/** What the control room sees of the site. */
export async function addAlarms(base: SceneBase, site: SiteKey): Promise<void> {
  const { sites, workers, openShifts, unattended, insert } = base;
  await insert(
    'alerts',
    `(kind, cause, shift_id, site_id) values ('empty', 'empty:' || $1::uuid, $1, $2)`,
    [openShifts[site], sites[site]],
    { site },
  );
  await insert('room_notes', `(body, site_id) values ('The gate is broken.', $1)`, [sites[site]], {
    site,
  });
  await insert(
    'inbound_messages',
    `(provider_id, kind, from_phone, site_id, outcome) values ($1, 'text', '+231770000000', $2, 'no_shift')`,
    [`generic:${site}`, sites[site]],
    { site },
  );
  for (const { id: owner } of workers[site]) {
    await insert(
      'welfare_checks',
      `(assignment_id, shift_id, user_id, site_id, due_at, every_minutes)
       select a.id, a.shift_id, a.user_id, a.site_id, now() - interval '12 hours', 60
       from assignments a where a.id = $1`,
      [unattended.get(`${owner} ${site}`)],
      { owner, site },
    );
    await insert(
      'duty_notices',
      `(assignment_id, shift_id, user_id, site_id, kind, reason, starts_at, device_at, said_at, ended_at)
       select a.id, a.shift_id, a.user_id, a.site_id, 'cant_come', 'Ill', a.starts_at, now(), now(), now()
       from assignments a where a.id = $1`,
      [unattended.get(`${owner} ${site}`)],
      { owner, site },
    );
    await insert('sos_events', `(user_id, site_id) values ($1, $2)`, [owner, sites[site]], {
      owner,
      site,
    });
  }
}

/** Orders, handovers and patrols of the site. */
export async function addPostLife(base: SceneBase, site: SiteKey): Promise<void> {
  const { sites, workers, insert } = base;
  const assigned = workers[site].map(({ id }) => id);
  const order = await insert(
    'post_orders',
    `(site_id, title, body) values ($1, 'Orders', '# At the gate')`,
    [sites[site]],
    { site, assigned },
  );
  const piece = await insert('equipment', `(site_id, name) values ($1, 'Radio')`, [sites[site]], {
    site,
    assigned,
  });
  await insert(
    'handover_notes',
    `(site_id, user_id, note, written_at) values ($1, $2, 'All quiet', now())`,
    [sites[site], bystander.id],
    { site, assigned },
  );
  await insert(
    'handovers',
    `(site_id, user_id, ticks, taken_at)
     values ($1, $2, jsonb_build_array(jsonb_build_object('equipment_id', $3::uuid, 'name', 'Radio', 'has', true)), now())`,
    [sites[site], bystander.id, piece],
    { site, assigned },
  );
  const checkpoint = await insert(
    'checkpoints',
    `(site_id, name) values ($1, 'Gate')`,
    [sites[site]],
    { site, inUse: true },
  );
  await insert(
    'tours',
    `(site_id, name, times, checkpoints) values ($1, 'Night', '{23:00}', array[$2::uuid])`,
    [sites[site], checkpoint],
    { site },
  );
  for (const { id: owner } of workers[site]) {
    // The book of the post: read by all who are on duty there.
    const book = { owner, site, assigned };
    await insert(
      'post_entries',
      `(site_id, user_id, kind, text, written_at) values ($1, $2, 'check', 'All quiet', now())`,
      [sites[site], owner],
      book,
    );
    await insert(
      'visits',
      `(site_id, kind, name, in_at, in_by) values ($1, 'person', 'Mary', now(), $2)`,
      [sites[site], owner],
      book,
    );
    await insert(
      'key_movements',
      `(site_id, key_name, taken_by, out_at, out_by) values ($1, 'Store', 'Mary', now(), $2)`,
      [sites[site], owner],
      book,
    );
    await insert(
      'checkpoint_scans',
      `(checkpoint_id, user_id, site_id, code, way, scanned_at, device_at)
       values ($1, $2, $3, '01', 'typed', now(), now())`,
      [checkpoint, owner, sites[site]],
      { owner, site },
    );
    await insert(
      'post_order_readings',
      `(order_id, user_id, site_id, read_at) values ($1, $2, $3, now())`,
      [order, owner, sites[site]],
      { owner, site },
    );
  }
}

/** A timesheet of each guard of the site. */
export async function addTimesheets(base: SceneBase, site: SiteKey): Promise<void> {
  const { sites, workers, one, insert } = base;
  const rules = await one(`select id from time_rules`);
  for (const { id: owner } of workers[site]) {
    const facts = { owner, site };
    const sheet = await insert(
      'timesheets',
      `(user_id, period_start, period_end, site_ids) values ($1, '2026-09-01', '2026-09-30', array[$2::uuid])`,
      [owner, sites[site]],
      facts,
    );
    await insert(
      'time_decisions',
      `(attendance_id, user_id, site_id, kind, approved)
       select id, user_id, site_id, 'stayed_on', true
       from attendance where user_id = $1`,
      [owner],
      facts,
    );
    await insert(
      'timesheet_disputes',
      `(timesheet_id, user_id, day, note) values ($1, $2, '2026-09-02', 'I worked that day.')`,
      [sheet, owner],
      facts,
    );
    await insert(
      'pay_adjustments',
      `(user_id, kind, period_start, period_end, explanation)
       values ($1, 'manual', '2026-09-01', '2026-09-30', 'A day was forgotten.')`,
      [owner],
      facts,
    );
    // Last, because a dispute computes the timesheet again.
    await one('update timesheets set site_ids = array[$2::uuid] where id = $1 returning id', [
      sheet,
      sites[site],
    ]);
    await insert(
      'timesheet_days',
      `(timesheet_id, user_id, day, planned_minutes, worked_minutes, paid_minutes, missing_minutes, credited_minutes, issues, explanations)
       values ($1, $2, '2026-09-01', 720, 60, 60, 660, 0, '{}', '[]')`,
      [sheet, owner],
      facts,
    );
    await insert(
      'time_segments',
      `(timesheet_id, user_id, day, starts_at, ends_at, class, rule, rate, time_rule_id)
       values ($1, $2, '2026-09-01', '2026-09-01T08:00Z', '2026-09-01T09:00Z', 'regular', 'worked', 1, $3)`,
      [sheet, owner, rules],
      facts,
    );
  }
}

/** Availability, bids and a notice of the person. */
export async function addRequests(base: SceneBase, person: Person): Promise<void> {
  const { sites, openShifts, insert } = base;
  await insert(
    'availability',
    `(user_id, kind, weekday) values ($1, 'unavailable', 6)`,
    [person.id],
    { owner: person.id },
  );
  for (const site of ['here', 'elsewhere'] as const) {
    await insert(
      'offers',
      `(kind, shift_id, user_id, status, site_id) values ('bid', $1, $2, 'open', $3)`,
      [openShifts[site], person.id, sites[site]],
      { owner: person.id, site },
    );
  }
  await insert(
    'notices',
    `(user_id, kind, title) values ($1, 'roster', 'New roster')`,
    [person.id],
    { owner: person.id },
  );
  await insert(
    'saved_views',
    `(user_id, list, name) values ($1, '/admin/shifts', 'My sites')`,
    [person.id],
    { owner: person.id },
  );
}

/** An incident that the person reported, and what the office knows of them. @returns the staff record */
export async function addRecords(base: SceneBase, person: Person): Promise<string> {
  const { sites, workers, courseId, insert } = base;
  const site: SiteKey = person === guardElsewhere ? 'elsewhere' : 'here';
  const facts = { owner: person.id, site, assigned: workers[site].map(({ id }) => id) };
  const incident = await insert(
    'incidents',
    `(site_id, raised_by_user_id, title, category, severity, description)
     values ($1, $2, 'Broken fence', 'security', 'low', 'The fence at the back gate is broken.')`,
    [sites[site], person.id],
    facts,
  );
  const update = await insert(
    'incident_updates',
    `(incident_id, from_status, to_status) values ($1, 'open', 'open')`,
    [incident],
    facts,
  );
  await insert(
    'incident_notes',
    `(id, incident_id, note) values ($1, $2, 'The client was informed.')`,
    [update, incident],
    facts,
  );
  await insert(
    'report_notes',
    `(incident_id, note, created_by) values ($1, 'It was a blue car.', $2)`,
    [incident, person.id],
    facts,
  );
  await insert(
    'incident_reviews',
    `(incident_id, decision, note) values ($1, 'returned', 'Which colour was the car?')`,
    [incident],
    facts,
  );
  await insert(
    'incident_escalations',
    `(incident_id, goal, level, deadline) values ($1, 'response', 1, now())`,
    [incident],
    facts,
  );
  const letter = await insert(
    'incident_letters',
    `(incident_id, version, addressee, subject, summary, signatory, facts)
     values ($1, 1, 'The client', 'Broken fence', 'The fence was broken at night.', 'Operations', '{}')`,
    [incident],
    facts,
  );
  await insert(
    'letter_acknowledgements',
    `(letter_id, contact_id, contact_name)
     select $1, c.id, c.full_name from client_contacts c join sites s on s.client_id = c.client_id
     where s.id = $2 order by c.full_name limit 1`,
    [letter, sites[site]],
    facts,
  );
  await insert(
    'evidence',
    `(incident_id, type, url) values ($1::uuid, 'image/jpeg', $1::uuid || '/fence.jpg')`,
    [incident],
    facts,
  );
  await insert(
    'certifications',
    `(user_id, course_id, expires_at) values ($1, $2, now() + interval '20 days')`,
    [person.id, courseId],
    { owner: person.id },
  );
  await insert(
    'leave_requests',
    `(user_id, type, start_date, end_date, reason)
     values ($1, 'annual', current_date + 40, current_date + 44, 'Family')`,
    [person.id],
    { owner: person.id },
  );
  const staffId = await insert(
    'staff',
    `(full_name, salary_amount, user_id) values ($1, 150, $2)`,
    [person.name, person.id],
    { owner: person.id, inUse: true },
  );
  await insert(
    'payroll',
    `(staff_id, period_start, period_end, base_amount) values ($1, '2026-10-01', '2026-10-31', 150)`,
    [staffId],
    { owner: person.id },
  );
  return staffId;
}
