// What the margin stores of settled runs and invoices never differs from what it computes without.
import { DatabaseError, type PoolClient } from 'pg';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { addClient, addDraft, issueAsIs } from '#tests/support/invoice-story.ts';
import { finance, guardElsewhere, guardHere } from '#tests/support/people.ts';
import { picker } from '#tests/support/picker.ts';
import { buildScene, type Scene } from '#tests/support/scene.ts';
import { become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  database = await freshDatabase();
  scene = await buildScene(database.owner);
});

type Amounts = { billed: string; wages: string; employer: string; direct: string; margin: string };
type Row = Amounts & {
  site_id: string | null;
  client_id: string | null;
  month: string;
  currency: string;
  worked_minutes: number;
};
type Sums = Amounts & {
  currency: string;
  count: number;
  months: (Amounts & { month: string })[];
  rows: Row[];
};

const GUARDS = [guardHere.id, guardElsewhere.id];

/** Runs of the same two weeks in both currencies and of the two before them; the first has locked the timesheets of June. */
async function addRuns(client: PoolClient): Promise<void> {
  await becomeOwner(client);
  for (const [start, end, currency] of [
    ['2026-06-22', '2026-07-05', 'USD'],
    ['2026-06-22', '2026-07-05', 'LRD'],
    ['2026-06-08', '2026-06-21', 'USD'],
  ]) {
    await client.query(
      `with run as (
         insert into pay_runs (pay_group, currency, period_start, period_end, lrd_per_usd)
         values ('bi-weekly', $3, $1, $2, 190) returning id
       ), slip as (
         insert into payslips (pay_run_id, staff_id, user_id, currency, gross, deductions, net, employer_cost)
         select run.id, s.id, s.user_id, $3, 100, 0, 100, 7 from run, staff s where s.user_id = any ($4) returning id
       )
       insert into payslip_lines (payslip_id, position, kind, label, amount) select id, 1, 'salary', 'Salary', 100 from slip`,
      [start, end, currency, GUARDS],
    );
  }
  await client.query(`update pay_runs set status = 'calculated'`);
  await client.query(`update pay_runs set status = 'approved'`);
  await client.query(
    `update timesheets set status = 'locked', locked_at = now(), pay_run_id = (
       select r.id from pay_runs r where r.currency = 'USD' and r.period_start = '2026-06-22')
     where user_id = any ($1) and period_start = '2026-06-01'`,
    [GUARDS],
  );
  await client.query(`update pay_runs set status = 'locked', locked_at = now()`);
}

const addHours = (client: PoolClient, user: string, day: number, minutes: number, site: string) =>
  client.query(
    `insert into time_segments (timesheet_id, user_id, day, starts_at, ends_at, class, rule, rate, time_rule_id, site_id)
     select t.id, t.user_id, d.day, d.day + time '08:00', d.day + time '08:00' + $3 * interval '1 minute', 'regular', 'worked', 1,
       (select id from time_rules limit 1), $4
     from (select date '2026-06-01' + $2::integer as day) d
     join timesheets t on t.user_id = $1 and d.day between t.period_start and t.period_end`,
    [user, day, minutes, site],
  );

const addSheet = (client: PoolClient, user: string, first: number, last: number) =>
  client.query(
    `insert into timesheets (user_id, period_start, period_end) values ($1, date '2026-06-01' + $2::integer, date '2026-06-01' + $3::integer)`,
    [user, first, last],
  );

/** Hours of June, paid, and of invoices of June and July, issued. */
const story = (work: (client: PoolClient) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    const billing = await addClient(client, 'Embassy');
    await client.query('update sites set client_id = $1 where id = $2', [
      billing.client,
      scene.sites.here,
    ]);
    for (const user of GUARDS) {
      await addSheet(client, user, 0, 29);
      for (const [day, minutes, site] of [
        [10, 300, scene.sites.here],
        [24, 420, scene.sites.here],
        [25, 110, scene.sites.elsewhere],
        [29, 333, scene.sites.here],
      ] as const)
        await addHours(client, user, day, minutes, site);
    }
    for (const month of ['2026-06-01', '2026-07-01']) {
      const draft = await addDraft(
        client,
        billing,
        [{ kind: 'regular', amount: 100 }, 5, 7],
        month,
      );
      await client.query(
        `update invoice_lines set site_id = $2 where invoice_id = $1 and amount > 5`,
        [draft, scene.sites.here],
      );
      await client.query(
        `insert into billed_time (invoice_line_id, user_id, site_id, span, kind)
         select l.id, s.user_id, s.site_id, tstzrange(s.starts_at, s.ends_at), 'regular'
         from time_segments s join invoice_lines l on l.invoice_id = $1 and l.kind = 'regular'
         where s.user_id = any ($2) and s.site_id = $5 and (s.user_id = $3) = ($4 = '2026-06-01')`,
        [draft, GUARDS, guardHere.id, month, scene.sites.here],
      );
      await issueAsIs(client, draft);
    }
    await addRuns(client);
    await work(client);
    await becomeOwner(client);
  });

const PERIOD = `'2026-06-01', '2026-08-31'`;

const read = async <Result>(client: PoolClient, sql: string): Promise<Result> => {
  await become(client, finance);
  const { rows } = await client.query(`select ${sql} as answer`);
  await becomeOwner(client);
  return rows[0].answer;
};

const margin = (client: PoolClient) => read<Row[]>(client, `margin(${PERIOD})`);

async function marginWithoutSums(client: PoolClient): Promise<Row[]> {
  await client.query('savepoint without_sums');
  await client.query('delete from private.summed_pay_runs; delete from private.paid_minutes');
  await client.query('delete from private.summed_invoices; delete from private.billed_minutes');
  await client.query('delete from private.settled_runs; delete from private.wage_sums');
  await client.query('delete from private.settled_invoices; delete from private.billed_sums');
  const rows = await margin(client);
  await client.query('rollback to savepoint without_sums');
  return rows;
}

const job = (client: PoolClient) => client.query('select private.sum_for_margin()');

/** How many runs and invoices are read from sums. */
async function settled(client: PoolClient): Promise<string> {
  const { rows } = await client.query(
    `select concat_ws(' ', (select count(*) from private.settled_runs where is_summed), (select count(*) from private.settled_invoices),
       (select count(*) from private.payslips_apart)) as settled`,
  );
  return rows[0].settled;
}

type Change = (client: PoolClient, pick: (count: number) => number) => Promise<unknown>;

const sheetOf = (status: string) =>
  `select id from timesheets where status = '${status}' and period_start >= '2026-05-01' order by period_start, user_id`;

const CHANGES: Change[] = [
  job,
  job,
  (client, pick) => {
    const first = 30 + pick(8);
    return addSheet(client, GUARDS[pick(2)] ?? '', first, first + pick(4));
  },
  (client, pick) =>
    addHours(client, GUARDS[pick(2)] ?? '', 28 + pick(12), 60 + pick(300), scene.sites.elsewhere),
  (client, pick) =>
    client.query(`delete from timesheets where id in (${sheetOf('open')} offset $1 limit 1)`, [
      pick(3),
    ]),
  (client, pick) =>
    client.query(
      `update timesheets set period_end = period_end + 1 where id in (${sheetOf('open')} offset $1 limit 1)`,
      [pick(3)],
    ),
  (client, pick) =>
    client.query(
      `update timesheets set status = 'locked', locked_at = now(), pay_run_id = (
         select id from pay_runs where status = 'locked' order by period_start, currency offset $2 limit 1)
       where id in (${sheetOf('open')} offset $1 limit 1)`,
      [pick(2), pick(3)],
    ),
  async (client, pick) => {
    if (pick(4) > 0) return;
    await become(client, finance);
    await client.query(
      `select void_pay_run((select id from pay_runs where status = 'locked' order by period_start desc, currency desc limit 1), 'Wrong')`,
    );
  },
  (client, pick) =>
    client.query(
      `update payslips set user_id = null where id in (
         select id from payslips where user_id is not null order by pay_run_id, user_id offset $1 limit 1)`,
      [pick(12)],
    ),
  async (client, pick) => {
    await become(client, finance);
    await client.query(
      `select credit_invoice(l.invoice_id, 'Wrong', array[l.id]) from invoice_lines l join invoices i on i.id = l.invoice_id
       where l.credited_at is null and i.status <> 'draft' order by i.number, l.position offset $1 limit 1`,
      [pick(5)],
    );
  },
  (client, pick) =>
    client.query('update private.settings set time_zone = $1', [
      ['UTC', 'Pacific/Kiritimati', 'Africa/Monrovia'][pick(3)],
    ]),
];

/** Undoes the change if the database refuses it. */
async function attempted(client: PoolClient, change: () => Promise<unknown>): Promise<void> {
  await client.query('savepoint change');
  try {
    await change();
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    await client.query('rollback to savepoint change');
  }
}

describe('the margin', () => {
  test.for([1, 2, 3, 4])('is the same with and without stored sums after any changes: %i', (seed) =>
    story(async (client) => {
      const pick = picker(seed * 7919);
      const seen = new Set<string>();
      for (let turn = 0; turn < 60; turn += 1) {
        const change = CHANGES[pick(CHANGES.length)] ?? job;
        await attempted(client, () => change(client, pick));
        await becomeOwner(client);
        expect(await margin(client), `after change ${turn}`).toEqual(
          await marginWithoutSums(client),
        );
        seen.add(await settled(client));
      }
      expect(seen.size).toBeGreaterThan(3);
    }),
  );

  test('is not stored while somebody writes a timesheet', () =>
    story(async (client) => {
      await rolledBack(database.owner, async (other) => {
        await addSheet(other, guardHere.id, 400, 430);
        await job(client);
        await job(client);
        expect(await settled(client)).toBe('0 0 0');
      });
      await job(client);
      await job(client);
      expect(await settled(client)).not.toMatch(/^0 0/);
    }));

  test('is summed by site, client and month as its rows', () =>
    story(async (client) => {
      const rows = await margin(client);
      const cents = (amount: string) => Math.round(Number(amount) * 100);
      for (const [by, keyOf] of [
        ['site', (row: Row) => `${row.site_id} ${row.client_id}`],
        ['client', (row: Row) => `${row.client_id}`],
        ['month', (row: Row) => row.month],
      ] as const) {
        const sums = await read<Sums[]>(client, `margin_sums(${PERIOD}, null, '${by}')`);
        expect(sums.map(({ currency }) => currency)).toEqual(['USD', 'LRD']);
        for (const { currency, count, rows: groups, ...total } of sums) {
          const all = rows.filter((row) => row.currency === currency);
          const of = (key: string) => all.filter((row) => keyOf(row) === key);
          expect(count).toBe(new Set(all.map(keyOf)).size);
          expect(groups).toHaveLength(count);
          for (const key of ['billed', 'wages', 'employer', 'margin'] as const) {
            const sum = (part: Row[]) => part.reduce((cent, row) => cent + cents(row[key]), 0);
            expect(cents(total[key])).toBe(sum(all));
            for (const group of groups) expect(cents(group[key])).toBe(sum(of(keyOf(group))));
          }
          if (by !== 'month') {
            const order = groups.map((group) => cents(group.margin));
            expect(order).toEqual([...order].sort((a, b) => a - b));
          }
        }
      }
    }));

  test('comes in pages, and of one client or of none', () =>
    story(async (client) => {
      const sums = (more: string) =>
        read<Sums[]>(client, `margin_sums(${PERIOD}, 'USD', 'site', ${more})`);
      const [all] = await sums('null, false, 1, 200');
      const [second] = await sums('null, false, 2, 1');
      expect(second).toEqual({ ...all, rows: all?.rows.slice(1, 2) });
      const own = all?.rows.find(({ site_id }) => site_id === scene.sites.here);
      const [of] = await sums(`'${own?.client_id}', false, 1, 200`);
      expect(of?.rows).toEqual(all?.rows.filter(({ client_id }) => client_id === own?.client_id));
      const [without] = await sums('null, true, 1, 200');
      expect(without?.rows ?? []).toEqual(all?.rows.filter(({ client_id }) => client_id === null));
    }));
});
