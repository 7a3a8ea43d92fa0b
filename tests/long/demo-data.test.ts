import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { cleanUp } from 'supabase-in-node/testing/clean-up';
import { freshDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { type BlobStore, openDisk } from '#backend/services/storage/blobs/blob-store.ts';
import { verifiedType } from '#backend/services/storage/content-type.ts';
import { DEMO_ACCOUNTS, DEMO_CONTACT, DEMO_PASSWORD } from '#demo/accounts.ts';
import { fillDemo } from '#demo/fill.ts';
import { TABLES } from '#demo/tables.ts';
import { rolledBack } from '#tests/support/session.ts';
import { readSums } from '#tests/support/stored-sums.ts';
import { AT_LEAST, NOW, STATES, VOLUMES, WITH_RULES } from './demo-expectations.ts';
import { loadInHalves, sumOf } from './demo-halves.ts';

let company: pg.Pool;
let again: pg.Pool;
let empty: pg.Pool;
let blobs: BlobStore;

async function load(owner: pg.Pool, blobs: BlobStore): Promise<void> {
  const client = await owner.connect();
  await client.query('begin');
  await fillDemo(client, NOW, blobs);
  await client.query('commit');
  client.release();
}

async function value(pool: pg.Pool | pg.PoolClient, sql: string, values: unknown[] = []) {
  const { rows } = await pool.query<{ value: unknown }>({
    text: `select (${sql}) as value`,
    values,
  });
  return rows[0]?.value;
}

const count = async (what: string): Promise<number> =>
  Number(await value(company, `select count(*) from ${what}`));

beforeAll(async () => {
  company = (await freshDatabase()).owner;
  again = (await freshDatabase()).owner;
  empty = (await freshDatabase()).owner;
  const folder = await mkdtemp(path.join(tmpdir(), 'statesman-demo-'));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  blobs = await openDisk(folder);
  await Promise.all([load(company, blobs), loadInHalves(again, NOW)]);
}, 600_000);

describe('the size of the company', () => {
  test.each(Object.entries(VOLUMES))('%s: about %d', async (table, wanted) => {
    const found = await count(`public.${table}`);
    expect(found).toBeGreaterThanOrEqual(wanted * 0.9);
    expect(found).toBeLessThanOrEqual(wanted * 1.1);
  });

  test('520 guards with accounts and staff records, and one admin', async () => {
    expect(await count(`public.user_roles where role = 'guard'`)).toBe(520);
    expect(
      await count(`public.staff s join auth.users u on u.id = s.user_id where s.role = 'guard'`),
    ).toBe(520);
    expect(await count(`public.user_roles where role = 'admin'`)).toBe(1);
    expect(
      await count(
        `auth.users u where not exists (select from auth.identities i where i.user_id = u.id)`,
      ),
    ).toBe(0);
  });

  test('every county has a site, on the map', async () => {
    const counties = await value(
      company,
      `select count(distinct substring(address from ', ([^,]+) County$')) from public.sites`,
    );
    expect(Number(counties)).toBe(15);
    const outside = `public.sites where latitude not between 4.2 and 8.6 or longitude not between -11.6 and -7.3`;
    expect(await count(outside)).toBe(0);
  });

  test('twelve months of payroll, and shifts from half a year ago to six weeks ahead', async () => {
    // The run of the current month is still open.
    expect(
      await value(
        company,
        `select max(period_start)::text from public.payroll where period_end - period_start > 20`,
      ),
    ).toBe('2026-02-01');
    expect(
      await value(company, 'select string_agg(status, $1 order by period_start) from pay_runs', [
        ' ',
      ]),
    ).toBe('paid paid locked calculated');
    expect(
      await value(company, 'select min(period_end)::text >= $1 from public.payroll', [
        '2025-03-01',
      ]),
    ).toBe(true);
    expect(await value(company, 'select max(start_time)::date::text from public.shifts')).toBe(
      '2026-04-14',
    );
    expect(await value(company, 'select min(start_time)::date::text from public.shifts')).toBe(
      '2025-10-06',
    );
  });
});

test('two months are invoiced: issued without gaps, paid, paid in part, overdue and in draft', async () => {
  const states = `select string_agg(distinct status, ' ' order by status) from public.invoices`;
  expect(await value(company, states)).toBe('draft issued paid part_paid');
  // Three closed months; what is billed by the quarter, the year or on demand has fewer.
  const monthly = await count(`public.contracts where billing_cycle = 'monthly'`);
  expect(await count('public.invoices')).toBeGreaterThanOrEqual(monthly * 3 - 8);
  expect(
    await count(`public.invoices where due_on < '2026-03-03' and open_amount > 0`),
  ).toBeGreaterThan(2);
  expect(
    await count(
      `(select max(sequence) <> count(*) as gap from public.invoices where year is not null group by year) y where gap`,
    ),
  ).toBe(0);
  const wrong = `public.invoices i where (i.subtotal, i.tax, i.paid) <> (
    (select sum(l.amount) from public.invoice_lines l where l.invoice_id = i.id),
    (select sum(l.tax_amount) from public.invoice_lines l where l.invoice_id = i.id),
    coalesce((select sum(a.amount) from public.receipt_allocations a where a.invoice_id = i.id), 0))`;
  expect(await count(wrong)).toBe(0);
  expect(
    await count(`public.receipts where allocated <> amount or received_on > '2026-03-03'`),
  ).toBe(0);
});

describe('whether its history is filled in one go or follows, the company is the same', () => {
  test.each(TABLES)('%s', async (table) => {
    expect(await value(again, sumOf(table))).toEqual(await value(company, sumOf(table)));
  });
});

describe('the demo data follows the rules', () => {
  test.each(WITH_RULES)('saving %s again changes nothing', async (table) => {
    const client = await company.connect();
    try {
      await client.query('begin');
      await client.query(
        `create temp table before on commit drop as
           select id, to_jsonb(t) - 'updated_at' as row from public.${table} t order by id limit 4000`,
      );
      await client.query(
        `update public.${table} t set id = t.id from before where before.id = t.id`,
      );
      const { rows } = await client.query(
        `select before.row as loaded, to_jsonb(t) - 'updated_at' as saved
         from public.${table} t join before on before.id = t.id
         where before.row <> to_jsonb(t) - 'updated_at' limit 3`,
      );
      expect(rows).toEqual([]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test('assignments have the site and time of their shift, and their attendance state', async () => {
    const wrong = `public.assignments a join public.shifts s on s.id = a.shift_id
      left join public.attendance r on r.assignment_id = a.id
      where a.site_id <> s.site_id or a.period <> tstzrange(s.start_time, s.end_time)
        or a.attendance_state <> case when r.id is null then 'none' when r.clock_out_at is null then 'in' else 'out' end
        or (a.attendance_state = 'out') <> (a.status = 'completed')`;
    expect(await count(wrong)).toBe(0);
  });

  test('what the jobs store of sums is what the tables say', async () => {
    await rolledBack(company, async (client) => {
      for (let turn = 0; turn < 3; turn += 1) {
        await client.query('select private.sum_for_margin(), private.check_billed_timesheets()');
      }
      const { stored, counted } = await readSums(client);
      expect(stored).toEqual(counted);
      expect(stored.billed_sums).not.toEqual([]);
    });
  });

  test('indexes, constraints and triggers are those of the migrations', async () => {
    const catalogue = `select jsonb_build_object(
      'indexes', (select jsonb_agg(pg_get_indexdef(i.indexrelid) order by pg_get_indexdef(i.indexrelid))
        from pg_index i join pg_class c on c.oid = i.indrelid
        where c.relnamespace = 'public'::regnamespace and i.indisvalid),
      'constraints', (select jsonb_agg(k.conname || pg_get_constraintdef(k.oid) order by k.conrelid::regclass::text, k.conname)
        from pg_constraint k where k.connamespace = 'public'::regnamespace and k.convalidated),
      'triggers', (select jsonb_agg(t.tgenabled::text || ' ' || pg_get_triggerdef(t.oid) order by pg_get_triggerdef(t.oid))
        from pg_trigger t where not t.tgisinternal))`;
    expect(await value(company, catalogue)).toEqual(await value(empty, catalogue));
  });

  test('the timeline of an incident leads from open to its status, step by step', async () => {
    const wrong = `(select i.status, i.updated_at, i.created_at,
        coalesce(array_agg(u.from_status order by u.created_at) filter (where u.id is not null) || i.status, array['open']) as was,
        array['open'] || array_agg(u.to_status order by u.created_at) filter (where u.id is not null) as became,
        min(u.created_at) as first, max(u.created_at) as last
      from public.incidents i left join public.incident_updates u on u.incident_id = i.id group by i.id) t
      where was <> became or became[cardinality(became)] <> status or first < created_at or last <> updated_at`;
    expect(await count(wrong)).toBe(0);
  });

  test('the shifts ahead are those that the posts ask for', async () => {
    // The database's clock is not the demo's, so the requirements are counted here.
    const wrong = `public.shifts s join public.post_requirements r on r.id = s.requirement_id
      join public.sites t on t.id = s.site_id
      cross join lateral jsonb_to_recordset(r.slots)
        as w (slot int, day int, start time, minutes int, headcount int)
      where w.slot = s.slot and (
        s.is_manual or s.post_id <> r.post_id or s.required_headcount <> w.headcount
        or (s.start_time at time zone t.timezone)::time <> w.start
        or s.end_time - s.start_time <> make_interval(mins => w.minutes)
        or ((s.start_time at time zone t.timezone)::date - r.valid_from) % r.cycle_days <> w.day
        or (s.start_time at time zone t.timezone)::date not between r.valid_from and coalesce(r.valid_to, 'infinity'))`;
    expect(await count(wrong)).toBe(0);
    const wanted = `public.post_requirements r
      cross join lateral jsonb_to_recordset(r.slots) as w (slot int, day int)
      join generate_series('2026-03-04'::date, '2026-04-14', '1 day') d (day)
        on d.day between r.valid_from and coalesce(r.valid_to, 'infinity')
        and (d.day::date - r.valid_from) % r.cycle_days = w.day`;
    expect(await count(`public.shifts where not is_manual and start_time >= '2026-03-04'`)).toBe(
      await count(wanted),
    );
  });

  test('every site has a post, and next week is drafted but for the busiest site', async () => {
    expect(
      await count(
        `public.sites s where not exists (select from public.posts p where p.site_id = s.id)`,
      ),
    ).toBe(0);
    expect(await count('public.roster_changes')).toBeGreaterThan(1_600);
    const seats = `(select sum(required_headcount) from public.shifts
      where start_time >= '2026-03-09' and start_time < '2026-03-16')`;
    const open =
      Number(await value(company, seats)) -
      (await count('public.roster_changes')) -
      (await count(`public.assignments where starts_at >= '2026-03-09' and status <> 'cancelled'`));
    expect(open).toBeGreaterThanOrEqual(2);
    expect(open).toBeLessThanOrEqual(20);
    expect(
      await value(
        company,
        `select state from public.roster_periods where starts_on = '2026-03-09'`,
      ),
    ).toBe('draft');
  });

  test('no guard works two shifts at the same time, and all rest twelve hours between shifts', async () => {
    const gaps = `(select user_id, lower(period) - lag(upper(period)) over (partition by user_id order by period) as gap
      from public.assignments where status <> 'cancelled') g`;
    expect(await count(`${gaps} where gap < interval '12 hours'`)).toBe(0);
  });

  test('no guard has a shift on approved leave or after leaving the company', async () => {
    const onLeave = `public.assignments a join public.leave_requests l on l.user_id = a.user_id and l.status = 'approved'
      where a.status <> 'cancelled' and l.start_date <= upper(a.period)::date - (upper(a.period)::time = '00:00')::int
        and l.end_date >= lower(a.period)::date`;
    expect(await count(onLeave)).toBe(0);
    expect(
      await count(
        'public.assignments a where on_leave <> private.is_on_leave(a.user_id, a.period)',
      ),
    ).toBe(0);
    const inactive = `public.assignments a join public.staff s on s.user_id = a.user_id
      where s.status = 'inactive' and lower(a.period) > '2026-03-01'`;
    expect(await count(inactive)).toBe(0);
  });

  test('no event is in the future', async () => {
    const at = `'${NOW.toISOString()}'::timestamptz`;
    expect(
      await count(
        `public.attendance where greatest(clock_in_at, clock_out_at, corrected_at) > ${at}`,
      ),
    ).toBe(0);
    expect(await count(`public.incidents where created_at > ${at}`)).toBe(0);
    expect(await count(`public.payroll where payment_date > ${at} or created_at > ${at}`)).toBe(0);
    expect(
      await count(
        `public.audit_log where at > ${at} and table_name not in (
          'training_courses', 'pay_rates', 'rate_proposals', 'tax_rates', 'chart_of_accounts', 'rule_sets', 'time_rules',
          'payment_formats', 'incident_goals', 'call_goals', 'incident_templates', 'retention_rules', 'tax_number_formats',
          'company_numbers', 'billing_settings')`,
      ),
    ).toBe(0);
  });
});

test('left open, it raises few alerts: welfare checks and rounds are rare', async () => {
  const asked = `public.attendance r join public.sites s on s.id = r.site_id
    where r.clock_out_at is null and s.welfare_every_minutes`;
  expect(await count(`${asked} is not null`)).toBeGreaterThanOrEqual(2);
  expect(await count(`${asked} is not null`)).toBeLessThanOrEqual(8);
  expect(await count(`${asked} < 180`)).toBe(0);
  const alone = 'public.posts p join public.sites s on s.id = p.site_id where p.lone_worker';
  expect(await count(`${alone} and s.welfare_every_minutes is null`)).toBe(0);
  const inAnHour = `(select count(*) as rounds from private.tour_rounds('2026-03-02Z', '2026-03-04Z') r
    group by date_trunc('hour', r.due_at)) hours where rounds`;
  expect(await count(`${inAnHour} > 0`)).toBeGreaterThanOrEqual(8);
  expect(await count(`${inAnHour} > 1`)).toBe(0);
});

describe('every state occurs', () => {
  test.each(AT_LEAST)('%s', async (_, what, least) => {
    expect(await count(what)).toBeGreaterThanOrEqual(least);
  });

  test.each(STATES)('%s in every state', async (_, table, column, states) => {
    expect(Number(await value(company, `select count(distinct ${column}) from ${table}`))).toBe(
      states,
    );
  });

  test('every piece of evidence has a file of its declared type', async () => {
    const { rows } = await company.query<{ version: string; type: string; size: string }>(
      `select o.version, e.type, o.metadata ->> 'size' as size from public.evidence e
       left join storage.objects o on o.bucket_id = 'evidence' and o.name = e.url`,
    );
    expect(rows).toHaveLength(60);
    for (const { version, type, size } of rows) {
      const open = () => blobs.read(version);
      expect(await verifiedType(open, type)).toBe(type);
      let bytes = 0;
      for await (const chunk of await open()) bytes += chunk.length;
      expect(bytes).toBe(Number(size));
    }
  });

  test('some guards have a photo, each with its file', async () => {
    const { rows } = await company.query<{ version: string | null }>(
      `select o.version from public.profiles p
       left join storage.objects o on o.bucket_id = 'photos' and o.name = p.photo_path
       where p.photo_path is not null`,
    );
    expect(rows.length).toBeGreaterThan(8);
    for (const { version } of rows) {
      expect(await verifiedType(() => blobs.read(version ?? ''), 'image/jpeg')).toBe('image/jpeg');
    }
  });

  test('cashflow and overview add up from accounts, loans, statements and expenses', async () => {
    type Row = Record<string, string | null>;
    const read = async (sql: string) => (await company.query<Row>(sql)).rows;
    // Integer cents, added here instead of in the database.
    const cents = (amount: string | null | undefined) =>
      BigInt(Math.round(Number(amount ?? '0') * 100));
    const totals = new Map<string, { in: bigint; out: bigint; bank: bigint; loan: bigint }>();
    const of = (currency: string | null | undefined) => {
      const known = totals.get(currency ?? '') ?? { in: 0n, out: 0n, bank: 0n, loan: 0n };
      totals.set(currency ?? '', known);
      return known;
    };
    for (const row of await read(
      'select currency, current_balance::text, balance_type from bank_accounts',
    )) {
      const total = of(row.currency);
      const balance = cents(row.current_balance);
      total[row.balance_type === 'Cr' ? 'in' : 'out'] += balance;
      total.bank += row.balance_type === 'Cr' ? balance : -balance;
    }
    for (const row of await read(
      'select currency, current_balance::text, total_debit::text, total_credit::text from loans',
    )) {
      const total = of(row.currency);
      total.in += cents(row.total_credit);
      total.out += cents(row.total_debit);
      total.loan += cents(row.current_balance);
    }
    for (const row of await read(
      'select total_revenue::text, total_expenses::text from financial_statements',
    )) {
      of('USD').in += cents(row.total_revenue);
      of('USD').out += cents(row.total_expenses);
    }
    for (const { amount } of await read('select amount::text from expense_reports')) {
      of('USD').out += cents(amount);
    }
    const reported = await read(
      'select currency, inflows::text, outflows::text, net::text, bank_balance::text, loan_balance::text from cashflow()',
    );
    expect(totals.size).toBeGreaterThan(1);
    expect(
      reported.map((row) => [
        row.currency,
        cents(row.inflows),
        cents(row.outflows),
        cents(row.net),
        cents(row.bank_balance),
        cents(row.loan_balance),
      ]),
    ).toEqual(
      [...totals]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([currency, sum]) => [
          currency,
          sum.in,
          sum.out,
          sum.in - sum.out,
          sum.bank,
          sum.loan,
        ]),
    );
  });

  test('the demo accounts can sign in, and the supervisor has one busy site', async () => {
    // All accounts share one hash, and each password check is slow by design.
    const matching = `select bool_and(u.hash = extensions.crypt($1, u.hash))
      from (select distinct encrypted_password as hash from auth.users) u`;
    expect(await value(company, matching, [DEMO_PASSWORD])).toBe(true);
    const site = `(select r.site_id from public.user_roles r join public.profiles p on p.id = r.user_id
      where p.email = 'supervisor@statesman.example')`;
    expect(await count(`public.incidents where site_id = ${site}`)).toBeGreaterThan(40);
    expect(await count(`public.shifts where site_id = ${site}`)).toBeGreaterThan(150);
  });

  test('the demo contact of a client belongs to a client with sites, and is no member', async () => {
    const own = `public.client_contacts c where c.user_id = '${DEMO_CONTACT.id}'`;
    expect(
      await count(`public.sites s where s.client_id in (select c.client_id from ${own})`),
    ).toBeGreaterThan(0);
    expect(
      await count(`private.client_accounts a join public.client_contacts c using (user_id)`),
    ).toBe(await count('public.client_contacts'));
  });

  test('a demo guard has shifts, leave, certificates and payslips', async () => {
    const guard = DEMO_ACCOUNTS.find(({ email }) => email.startsWith('guard@'))?.id;
    for (const what of [
      `public.assignments where user_id = '${guard}' and lower(period) > now()`,
      `public.leave_requests where user_id = '${guard}'`,
      `public.certifications where user_id = '${guard}'`,
      `public.payroll r join public.staff s on s.id = r.staff_id where s.user_id = '${guard}'`,
    ].map((what) => what.replace('now()', `'${NOW.toISOString()}'`))) {
      expect(await count(what), what).toBeGreaterThan(1);
    }
  });
});
