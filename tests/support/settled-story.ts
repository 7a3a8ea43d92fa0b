// Hours of June that are paid, and invoices of June and July that are issued: what stored sums are made of.
import type { Pool, PoolClient } from 'pg';
import { addClient, addDraft, issueAsIs } from './invoice-story.ts';
import { finance, guardElsewhere, guardHere } from './people.ts';
import type { Scene } from './scene.ts';
import { become, becomeOwner, rolledBack } from './session.ts';

export const GUARDS = [guardHere.id, guardElsewhere.id];

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

export const addHours = (
  client: PoolClient,
  user: string,
  day: number,
  minutes: number,
  site: string,
) =>
  client.query(
    `insert into time_segments (timesheet_id, user_id, day, starts_at, ends_at, class, rule, rate, time_rule_id, site_id)
     select t.id, t.user_id, d.day, d.day + time '08:00', d.day + time '08:00' + $3 * interval '1 minute', 'regular', 'worked', 1,
       (select id from time_rules limit 1), $4
     from (select date '2026-06-01' + $2::integer as day) d
     join timesheets t on t.user_id = $1 and d.day between t.period_start and t.period_end`,
    [user, day, minutes, site],
  );

export const addSheet = (client: PoolClient, user: string, first: number, last: number) =>
  client.query(
    `insert into timesheets (user_id, period_start, period_end) values ($1, date '2026-06-01' + $2::integer, date '2026-06-01' + $3::integer)`,
    [user, first, last],
  );

/** Everything is rolled back. */
export const settledStory = (
  pool: Pool,
  scene: Scene,
  work: (client: PoolClient) => Promise<void>,
) =>
  rolledBack(pool, async (client) => {
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

export const PERIOD = `'2026-06-01', '2026-08-31'`;

export const readAsFinance = async <Result>(client: PoolClient, sql: string): Promise<Result> => {
  await become(client, finance);
  const { rows } = await client.query(`select ${sql} as answer`);
  await becomeOwner(client);
  return rows[0].answer;
};

export const sumForMargin = (client: PoolClient) => client.query('select private.sum_for_margin()');

/** How many runs and invoices are read from sums. */
export async function settledCounts(client: PoolClient): Promise<string> {
  const { rows } = await client.query(
    `select concat_ws(' ', (select count(*) from private.settled_runs where is_summed), (select count(*) from private.settled_invoices),
       (select count(*) from private.payslips_apart)) as settled`,
  );
  return rows[0].settled;
}
