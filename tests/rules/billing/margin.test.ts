// What sites earn by month: billed less wages and the employer's share, shared by minutes, and never across currencies
// without a dated rate.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { addClient, addDraft, issueAsIs, linesOf } from '#tests/support/invoice-story.ts';
import { finance, guardHere } from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, call, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

interface Row {
  site_id: string | null;
  month: string;
  currency: string;
  billed: string;
  wages: string;
  employer: string;
  direct: string;
  margin: string;
  billed_minutes: number;
  worked_minutes: number;
  rates: number[];
}

/** Work that is paid, from 08:00, at a site. */
type Work = [day: string, minutes: number, site: 'here' | 'elsewhere'];

/**
 * A locked run over two months with one payslip of 120 gross and 9 of the employer, and an issued invoice of 100 with
 * the same hours for the site here. As finance.
 */
const story = (
  { work, currency = 'USD' }: { work: Work[]; currency?: string },
  check: (client: PoolClient, invoice: string) => Promise<void>,
) =>
  rolledBack(database.owner, async (client) => {
    const billing = await addClient(client, 'Embassy', currency);
    const invoice = await addDraft(
      client,
      billing,
      [{ kind: 'regular', amount: 100 }, 5],
      '2026-06-01',
    );
    await client.query('update sites set client_id = $1', [billing.client]);
    const [line] = await linesOf(client, invoice);
    await client.query('update invoice_lines set site_id = $2 where id = $1', [
      line,
      scene.sites.here,
    ]);
    const { rows } = await client.query<{ id: string }>(
      `insert into timesheets (user_id, period_start, period_end, status)
       values ($1, '2026-06-01', '2026-06-30', 'open') returning id`,
      [guardHere.id],
    );
    for (const [day, minutes, site] of work) {
      await client.query(
        `insert into time_segments (timesheet_id, user_id, day, starts_at, ends_at, class, rule, rate, time_rule_id, site_id)
         select $1, $2, $3::date, $3::date + time '08:00', $3::date + time '08:00' + $4 * interval '1 minute', 'regular', 'worked', 1,
           (select id from time_rules limit 1), $5`,
        [rows[0]?.id, guardHere.id, day, minutes, scene.sites[site]],
      );
      if (site === 'here') {
        await client.query(
          `insert into billed_time (invoice_line_id, user_id, site_id, span, kind)
           values ($1, $2, $3, tstzrange($4::date + time '08:00', $4::date + time '08:00' + $5 * interval '1 minute'), 'regular')`,
          [line, guardHere.id, scene.sites.here, day, minutes],
        );
      }
    }
    await client.query(
      `with run as (
         insert into pay_runs (pay_group, currency, period_start, period_end, lrd_per_usd)
         values ('bi-weekly', 'USD', '2026-06-22', '2026-07-05', 200) returning id
       ), slip as (
         insert into payslips (pay_run_id, staff_id, user_id, currency, gross, deductions, net, employer_cost)
         select run.id, s.id, s.user_id, 'USD', 120, 0, 120, 9 from run, staff s where s.user_id = $1 returning id
       )
       insert into payslip_lines (payslip_id, position, kind, label, amount) select id, 1, 'salary', 'Salary', 120 from slip`,
      [guardHere.id],
    );
    await issueAsIs(client, invoice);
    for (const status of ['calculated', 'approved', 'locked']) {
      await client.query(
        `update pay_runs set status = $1, locked_at = case when $1 = 'locked' then now() end where period_start = '2026-06-22'`,
        [status],
      );
    }
    await become(client, finance);
    await check(client, invoice);
    await becomeOwner(client);
  });

const margin = async (client: PoolClient, currency?: string): Promise<Row[]> =>
  call<Row[]>(client, `margin('2026-06-01', '2026-07-31', $1)`, [currency]);

/** Hours at the site here in June and July, and elsewhere: 6, 3 and 3 of 12. */
const WORK: Work[] = [
  ['2026-06-29', 360, 'here'],
  ['2026-06-30', 180, 'elsewhere'],
  ['2026-07-01', 180, 'here'],
];

describe('the margin', () => {
  test('shares wages and invoice lines over sites and months by minutes', () =>
    story({ work: WORK }, async (client) => {
      const rows = await margin(client);
      const row = (site: string | null, month: string) =>
        rows.find((one) => one.site_id === site && one.month === month && one.currency === 'USD');
      expect(row(scene.sites.here, '2026-06-01')).toMatchObject({
        billed: '66.67',
        wages: '60.00',
        employer: '4.50',
        margin: '2.17',
        billed_minutes: 360,
        worked_minutes: 360,
        rates: [],
      });
      expect(row(scene.sites.here, '2026-07-01')).toMatchObject({
        billed: '33.33',
        wages: '30.00',
        margin: '1.08',
      });
      expect(row(scene.sites.elsewhere, '2026-06-01')).toMatchObject({
        billed: '0.00',
        wages: '30.00',
        margin: '-32.25',
      });
      // A line without a site.
      expect(row(null, '2026-06-01')).toMatchObject({ billed: '5.00', wages: '0.00' });
    }));

  test('is the same from stored sums as from the hours, also of a timesheet that was locked later', () =>
    story({ work: WORK }, async (client, invoice) => {
      const asOwner = async (sql: string) => {
        await becomeOwner(client);
        await client.query(sql);
        await become(client, finance);
      };
      const bothWays = async () => {
        const summed = await margin(client);
        await asOwner('delete from private.summed_pay_runs; delete from private.paid_minutes');
        await asOwner('delete from private.summed_invoices; delete from private.billed_minutes');
        await asOwner('delete from private.settled_runs; delete from private.wage_sums');
        await asOwner('delete from private.settled_invoices; delete from private.billed_sums');
        expect(await margin(client)).toEqual(summed);
        return summed;
      };
      await asOwner(
        `update timesheets set status = 'locked', locked_at = now(), pay_run_id = (
           select id from pay_runs where period_start = '2026-06-22') where period_start = '2026-06-01'`,
      );
      const SUM = 'select private.sum_for_margin(); select private.sum_for_margin()';
      await asOwner(SUM);
      const before = await bothWays();

      await asOwner(SUM);
      await asOwner(
        `with sheet as (
           insert into timesheets (user_id, period_start, period_end)
           select user_id, '2026-07-02', '2026-07-31' from timesheets where period_start = '2026-06-01' returning id, user_id
         )
         insert into time_segments (timesheet_id, user_id, day, starts_at, ends_at, class, rule, rate, time_rule_id)
         select s.id, s.user_id, '2026-07-03', '2026-07-03 08:00Z', '2026-07-03 11:00Z', 'regular', 'worked', 1,
           (select id from time_rules limit 1) from sheet s`,
      );
      expect(await bothWays()).not.toEqual(before);

      await asOwner(SUM);
      await client.query(`select credit_invoice($1, 'Wrong')`, [invoice]);
      expect((await bothWays()).every(({ billed }) => Number(billed) === 0)).toBe(true);

      await asOwner(SUM);
      await asOwner(`update private.settings set time_zone = 'Pacific/Kiritimati'`);
      await bothWays();
    }));

  test('leaves out what is credited', () =>
    story({ work: WORK }, async (client, invoice) => {
      await client.query(`select credit_invoice($1, 'Wrong')`, [invoice]);
      expect((await margin(client)).every(({ billed }) => Number(billed) === 0)).toBe(true);
    }));

  test('keeps currencies apart until one is asked for, and names the rates used', () =>
    story({ work: WORK, currency: 'LRD' }, async (client) => {
      const of = (rows: Row[]) =>
        rows
          .filter(({ site_id, month }) => site_id === scene.sites.here && month === '2026-06-01')
          .map(({ currency, billed, wages, rates }) => [currency, billed, wages, rates]);
      expect(of(await margin(client))).toEqual([
        ['USD', '0.00', '60.00', []],
        ['LRD', '66.67', '0.00', []],
      ]);
      expect(of(await margin(client, 'LRD'))).toEqual([['LRD', '66.67', '12000.00', [200]]]);
      const [inDollars] = of(await margin(client, 'USD'));
      const rate = await call<number>(
        client,
        `(select round(private.pay_rate('lrd_per_usd', issued_on), 6)::float8 from invoices where currency = 'LRD')`,
        [],
      );
      expect(inDollars).toEqual([
        'USD',
        (Math.round(6666.67 / rate) / 100).toFixed(2),
        '60.00',
        [rate],
      ]);
    }));

  test('never converts without a rate: such amounts stay in their own currency', () =>
    story({ work: WORK, currency: 'LRD' }, async (client) => {
      await becomeOwner(client);
      await client.query(`set local session_replication_role = 'replica'`);
      await client.query(`delete from pay_rates where kind = 'lrd_per_usd'`);
      await client.query(`set local session_replication_role = 'origin'`);
      await become(client, finance);
      const rows = await margin(client, 'USD');
      expect(
        rows
          .filter(({ site_id, month }) => site_id === scene.sites.here && month === '2026-06-01')
          .map(({ currency, billed, wages }) => [currency, billed, wages]),
      ).toEqual([
        ['USD', '0.00', '60.00'],
        ['LRD', '66.67', '0.00'],
      ]);
    }));

  test('opens to the hours of each guard: worked, paid by locked runs, and billed', () =>
    story({ work: WORK }, async (client, invoice) => {
      const hours = async (site: string | null, from: string, to: string) =>
        (
          await client.query(
            `select full_name, worked_minutes::int, paid_minutes::int, billed_minutes::int from margin_hours($1, $2, $3)`,
            [from, to, site],
          )
        ).rows.map((row) => Object.values(row));
      const name = guardHere.name;
      // Whole months, however the days are given.
      expect(await hours(scene.sites.here, '2026-06-15', '2026-06-15')).toEqual([
        [name, 360, 360, 360],
      ]);
      expect(await hours(scene.sites.here, '2026-06-01', '2026-07-31')).toEqual([
        [name, 540, 540, 540],
      ]);
      expect(await hours(scene.sites.elsewhere, '2026-06-01', '2026-07-31')).toEqual([
        [name, 180, 180, 0],
      ]);
      expect(await hours(null, '2026-06-01', '2026-07-31')).toEqual([]);
      await client.query(`select credit_invoice($1, 'Wrong')`, [invoice]);
      expect(await hours(scene.sites.here, '2026-07-01', '2026-07-31')).toEqual([
        [name, 180, 180, 0],
      ]);
    }));

  test('takes the expenses of a site from its margin, with the rate of their day', () =>
    story({ work: WORK }, async (client) => {
      await becomeOwner(client);
      const add = (amount: number, day: string, site: string | null) =>
        client.query(
          `insert into expense_reports (title, amount, category, expense_date, report_type, site_id)
           values ('Uniforms', $1, 'equipment', $2, 'daily', $3)`,
          [amount, day, site],
        );
      await add(1.5, '2026-06-30', scene.sites.here);
      await add(0.25, '2026-06-01', scene.sites.here);
      await add(900, '2026-06-10', null);
      await add(900, '2026-08-01', scene.sites.here);
      await become(client, finance);
      const row = async (currency?: string) =>
        (await margin(client, currency)).find(
          ({ site_id, month }) => site_id === scene.sites.here && month === '2026-06-01',
        );
      expect(await row()).toMatchObject({ direct: '1.75', margin: '0.42' });
      const rate = await call<string>(client, `private.pay_rate('lrd_per_usd', '2026-06-30')`, []);
      expect((await row('LRD'))?.direct).toBe((1.75 * Number(rate)).toFixed(2));
    }));

  test('shows pay without hours at a site as of no site', () =>
    story({ work: [] }, async (client) => {
      const rows = await margin(client);
      expect(rows.filter(({ wages }) => Number(wages) > 0)).toMatchObject([
        { site_id: null, month: '2026-07-01', wages: '120.00', employer: '9.00' },
      ]);
    }));
});
