// Makes a large company out of the demo: copies of all people and sites beside each other, and of their work further back.

/** Copied for each copy of the company. */
const PEOPLE_AND_PLACES =
  `auth.users auth.identities profiles user_roles clients sites posts post_requirements staff
  contracts contract_posts rates site_inductions certifications pay_accounts pay_bases pay_items client_contacts checkpoints
  post_orders availability deployments site_bans payroll post_order_readings`.split(/\s+/);
/** Copied for each copy of the company and each period. */
const WORK =
  `time_segments assignments attendance timesheet_days shifts billed_time timesheets time_decisions invoices
  invoice_lines payslips payslip_lines staff_ledger incidents incident_updates incident_notes
  incident_reviews incident_letters leave_requests receipts receipt_allocations expense_reports handovers handover_notes
  checkpoint_scans welfare_checks audit_log`.split(/\s+/);
/** One for all copies in a period. */
const PERIODS = ['pay_runs'];

/** 28 weeks: longer than the demo's past and future together, so that nobody is on two shifts at once. */
const PERIOD_DAYS = 196;
export const PERIODS_A_YEAR = 365 / PERIOD_DAYS;

/** Columns without a foreign key that name a copied row. */
const NAMED = {
  user_id: 'profiles',
  actor_id: 'profiles',
  overridden_by: 'profiles',
  no_show_by: 'profiles',
  site_id: 'sites',
  post_id: 'posts',
  attendance_id: 'attendance',
  leave_request_id: 'leave_requests',
  shift_id: 'shifts',
  pay_run_id: 'pay_runs',
};

/** Values that must differ between copies. */
const OWN_VALUES = {
  'auth.users': { email: `c || '.' || email`, phone: 'null' },
  'auth.identities': { provider_id: `'c' || c || '.' || provider_id` },
  profiles: {
    email: `c || '.' || email`,
    full_name: `full_name || ' ' || c`,
    photo_path: 'null',
  },
  sites: { name: `name || ' ' || c` },
  clients: { name: `name || ' ' || c` },
  posts: { code: `'P' || substr(code, 2)::int + c * 1000` },
  pay_accounts: { account_number: `account_number || lpad(c::text, 3, '0')` },
  checkpoints: {
    code_secret: `left(code_secret, 2) || substr(upper(md5(code_secret || c)), 1, 6)`,
  },
  // Only today's guards are still on post.
  attendance: {
    clock_out_at: `case when t > 0 then coalesce(clock_out_at, clock_in_at + interval '8 hours') else clock_out_at end - t * interval '${PERIOD_DAYS} days'`,
  },
  invoice_lines: { month: `date_trunc('month', (month - t * ${PERIOD_DAYS})::timestamp)::date` },
  payslips: {
    payroll_id: `case when t > 0 then null else pg_temp.copy_of(payroll_id, copy_mark) end`,
  },
  invoices: { sequence: `sequence + (c * 20 + t) * 10000` },
};

/** The demo's sums cover the demo alone. The company has been in its time zone for long. */
const FORGET_SUMS = `
  update private.settings set time_zone_since = now() - interval '1 year';
  delete from private.summed_invoices; delete from private.billed_minutes;
  delete from private.summed_pay_runs; delete from private.paid_minutes;
  delete from private.settled_invoices; delete from private.billed_sums;
  delete from private.settled_runs; delete from private.wage_sums;
  delete from private.payslips_apart; delete from private.pay_run_sums`;

const QUEUE_UNBILLED = `
  insert into private.unbilled_changes (timesheet_id)
  select t.id from timesheets t
  where not exists (select from private.unbilled_changes c where c.timesheet_id = t.id);
  analyze private.unbilled_changes`;

const SETTINGS = `
  set session_replication_role = replica;
  set synchronous_commit = off;
  set maintenance_work_mem = '1GB';
  set statement_timeout = 0;
  -- Two groups of the id tell the copy; in the demo they are 4000-8000 or random. A hash takes four times as long.
  create function pg_temp.copy_of(id uuid, mark text) returns uuid language sql immutable
    return coalesce(overlay(id::text placing mark from 15 for 9)::uuid, id);
  create function pg_temp.mark(c int, t int) returns text language sql immutable
    return case when c > 0 or t > 0 then '4' || lpad(to_hex(c), 3, '0') || '-8' || lpad(to_hex(t), 3, '0') end;
`;

const COLUMNS = `
  select a.attname as name, format_type(a.atttypid, null) as type,
    (select f.confrelid::regclass::text from pg_constraint f join pg_attribute r on r.attrelid = f.confrelid
      and r.attnum = f.confkey[array_position(f.conkey, a.attnum)] and r.attname = 'id'
      where f.contype = 'f' and f.conrelid = a.attrelid and a.attnum = any (f.conkey) limit 1) as target
  from pg_attribute a
  where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum`;

const BACK = `t * interval '${PERIOD_DAYS} days'`;
const RANGES = { tstzrange: BACK, daterange: `t * ${PERIOD_DAYS}` };

const movedRange = (type, range) =>
  `${type}(lower(${range}) - ${RANGES[type]}, upper(${range}) - ${RANGES[type]},
    case when lower_inc(${range}) then '[' else '(' end || case when upper_inc(${range}) then ']' else ')' end)`;

/** @returns {string} the column's value in copy c, t periods back */
function copiedValue(table, { name, type, target }) {
  const own = OWN_VALUES[table]?.[name];
  if (own !== undefined) return `case when c = 0 and t = 0 then ${name} else ${own} end`;
  if (type === 'uuid') {
    const named = name === 'id' ? table : name === 'row_id' ? 'shifts' : (target ?? NAMED[name]);
    if (WORK.includes(named)) return `pg_temp.copy_of(${name}, mark)`;
    if (PEOPLE_AND_PLACES.includes(named)) return `pg_temp.copy_of(${name}, copy_mark)`;
    return PERIODS.includes(named) ? `pg_temp.copy_of(${name}, period_mark)` : name;
  }
  if (PEOPLE_AND_PLACES.includes(table)) return name;
  if (type === 'date') return `${name} - t * ${PERIOD_DAYS}`;
  if (type === 'timestamp with time zone') return `${name} - ${BACK}`;
  if (type in RANGES) return movedRange(type, name);
  const range = type.replace('multirange', 'range');
  return range in RANGES
    ? `(select range_agg(${movedRange(range, 'part')}) from unnest(${name}) part)`
    : name;
}

/** Writes without indexes, then builds them, without a check of what the demo's rows already comply with. */
async function withoutIndexes(client, table, write) {
  const set = (assignments) =>
    client.query(`update pg_index i set ${assignments} where indrelid = $1::regclass`, [table]);
  await set('indisready = false, indisexclusion = false');
  await write();
  await set('indisready = true');
  await client.query(`reindex table ${table}`);
  await set(`indisexclusion = exists (
    select from pg_constraint c where c.conindid = i.indexrelid and c.contype = 'x')`);
}

async function copyTable(client, { table, copies, periods }) {
  const { rows: columns } = await client.query(COLUMNS, [table]);
  const quoted = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map((column) => copiedValue(table, column)).join(', ');
  await client.query(`create temp table source as select ${quoted} from ${table}`);
  await withoutIndexes(client, table, () =>
    client.query(`
      with copies as materialized (
        select c, t, pg_temp.mark(c, t) as mark, pg_temp.mark(c, 0) as copy_mark, pg_temp.mark(0, t) as period_mark
        from generate_series(0, ${copies - 1}) c, generate_series(0, ${periods - 1}) t
        where c > 0 or t > 0
      )
      insert into ${table} (${quoted}) select ${values} from copies cross join source`),
  );
  await client.query('drop table source');
}

/** Two events and two entries of the activity log for each record of attendance, as the app writes them. */
const EVENTS = [
  [
    'clock_events',
    `insert into clock_events (user_id, assignment_id, attendance_id, site_id, kind, device_at, effective_at, hash, chain_intact,
     clock_off, received_at)
   select user_id, assignment_id, id, site_id, e.kind, e.at, e.at, md5(id || e.kind) || md5(e.kind || id), true, false, e.at
   from attendance, lateral (values ('in', clock_in_at), ('out', clock_out_at)) e (kind, at) where e.at is not null`,
  ],
  [
    'audit_log',
    `insert into audit_log (at, actor_id, actor_email, action, table_name, row_id, old_values, new_values)
   select e.at, user_id, 'guard@statesman.example', e.action, 'attendance', id, e.old, e.new
   from attendance, lateral (values
     ('insert', clock_in_at, null, jsonb_build_object('id', id, 'user_id', user_id, 'clock_in_at', clock_in_at, 'clock_in_gps', clock_in_gps)),
     ('update', clock_out_at, jsonb_build_object('clock_out_at', null), jsonb_build_object('clock_out_at', clock_out_at, 'clock_out_gps', clock_out_gps))
   ) e (action, at, old, new) where e.at is not null`,
  ],
];

/** Invoices and pay runs that the margin has no sums of. */
const NOT_SUMMED = `
  select from invoices where status <> 'draft' and id not in (select invoice_id from private.settled_invoices)
  union all
  select from pay_runs where status in ('locked', 'paid') and (
    id not in (select pay_run_id from private.settled_runs where is_summed)
    or id not in (select pay_run_id from private.pay_run_sums)
  )
  limit 1`;

/** Runs a job of the database until nothing is left, each time with statistics of what the last one wrote. */
async function runJob(client, { job, left, tables }) {
  const isLeft = async () => (await client.query(left)).rowCount > 0;
  while (await isLeft()) await client.query(`select private.${job}(); analyze ${tables}`);
}

async function sumMargin(client) {
  await client.query(FORGET_SUMS);
  await runJob(client, {
    job: 'sum_for_margin',
    left: NOT_SUMMED,
    tables:
      'private.summed_invoices, private.settled_invoices, private.paid_minutes, private.billed_minutes',
  });
}

async function sumUnbilled(client) {
  await client.query(QUEUE_UNBILLED);
  await runJob(client, {
    job: 'check_billed_timesheets',
    left: 'select from private.unbilled_changes limit 1',
    tables: 'private.unbilled_changes',
  });
}

/** Calls `work` for each item, one at a time on each connection. */
async function share(clients, items, work) {
  const left = [...items];
  const take = async (client) => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(client, item);
  };
  await Promise.all(clients.map(take));
}

/**
 * @param {import('pg').Client[]} clients superusers of a database that no server uses; triggers and foreign keys are off
 * @param {{ copies: number, years: number, say: (text: string) => void }} options
 * @returns {Promise<number>} rows of assignments and attendance
 */
export async function growCompany(clients, { copies, years, say }) {
  const periods = Math.max(1, Math.round(years * PERIODS_A_YEAR));
  for (const client of clients) await client.query(SETTINGS);
  const [client] = clients;
  const timed = async (client, table, work) => {
    const started = performance.now();
    await work();
    const { rows } = await client.query(`select pg_total_relation_size($1) as bytes`, [table]);
    const took = ((performance.now() - started) / 1000).toFixed(0);
    say(`${table}: ${(Number(rows[0].bytes) / 1e6).toFixed(0)} MB, ${took} s`);
  };
  const tables = [
    ...WORK.map((table) => ({ table, copies, periods })),
    ...PEOPLE_AND_PLACES.map((table) => ({ table, copies, periods: 1 })),
    ...PERIODS.map((table) => ({ table, copies: 1, periods })),
  ];
  await share(clients, tables, (client, size) =>
    timed(client, size.table, () => copyTable(client, size)),
  );
  await share(clients, EVENTS, (client, [table, insert]) =>
    timed(client, table, () => withoutIndexes(client, table, () => client.query(insert))),
  );
  await client.query('vacuum (analyze)');
  await timed(client, 'private.paid_minutes', () => sumMargin(client));
  await timed(client, 'private.unbilled_sums', () => sumUnbilled(client));
  await client.query('select private.hold_rights(array(select id from profiles))');
  await client.query(
    'vacuum (analyze) private.held_rights, private.unbilled_sums, private.unbilled_changes',
  );
  const { rows } = await client.query(
    `select ((select count(*) from assignments) + (select count(*) from attendance))::int as rows`,
  );
  return rows[0].rows;
}
