// A pay run from draft to locked, what nobody can change then, voiding, and corrections of closed months.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PayStory, payStory } from '#tests/support/pay-story.ts';
import {
  admin,
  finance,
  guardElsewhere,
  guardHere,
  hr,
  opsManager,
} from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(
    `truncate staff, pay_runs, timesheets cascade; delete from notices;
     delete from pay_rates where effective_from > '2026-01-01'`,
  );
});

const story = (work: (story: PayStory) => Promise<void>) => payStory(database.owner, work);

describe('a run', () => {
  test('is approved by someone other than who calculated it, then locked', () =>
    story(async ({ hire, calculate, as, refused, owner }) => {
      await hire(guardHere);
      const run = await calculate();
      expect(await refused(finance, 'select lock_pay_run($1)', [run])).toBe(
        'This pay run is calculated.',
      );
      expect(await refused(finance, 'select approve_pay_run($1)', [run])).toContain(
        'Someone else must approve',
      );
      await as(admin, 'select approve_pay_run($1)', [run]);
      await as(admin, 'select approve_pay_run($1)', [run]);
      expect(await refused(finance, 'select calculate_pay_run($1)', [run])).toBe(
        'This pay run is approved.',
      );
      await as(admin, 'select lock_pay_run($1)', [run]);
      await as(finance, 'select lock_pay_run($1)', [run]);
      expect(await owner('select status from pay_runs where id = $1', [run])).toMatchObject([
        { status: expect.stringMatching(/locked|paid/) },
      ]);
    }));

  test('that is calculated again stays the same, row by row', () =>
    story(async ({ hire, hours, calculate, owner }) => {
      await hire(guardHere);
      await hours(guardHere, [
        [1, 'regular', 600],
        [2, 'overtime_1', 61],
        [3, 'holiday', 60],
      ]);
      const run = await calculate();
      const rows = () =>
        owner(`select l.id, s.id as slip, s.updated_at, l.amount from payslip_lines l join payslips s on s.id = l.payslip_id
          where s.pay_run_id = '${run}' order by l.id`);
      const before = await rows();
      expect(await calculate()).toBe(run);
      expect(await rows()).toEqual(before);
      expect(before.length).toBeGreaterThan(4);
    }));

  test('has the days of a pay period, once', () =>
    story(async ({ refused, calculate }) => {
      const add = `insert into pay_runs (pay_group, currency, period_start, period_end) values ('monthly', 'USD', $1, $2)`;
      expect(await refused(finance, add, ['2032-03-01', '2032-03-30'])).toContain(
        '2032-03-01 to 2032-03-31',
      );
      await calculate();
      expect(await refused(finance, add, ['2032-03-01', '2032-03-31'])).toContain(
        'pay_runs_do_not_overlap',
      );
    }));

  test('is closed to everyone but admins and finance', () =>
    story(async ({ hire, calculate, refused, as }) => {
      const staff = await hire(guardHere);
      const run = await calculate();
      for (const person of [hr, opsManager, guardHere]) {
        for (const call of [
          `calculate_pay_run('${run}')`,
          `approve_pay_run('${run}')`,
          `lock_pay_run('${run}')`,
          `void_pay_run('${run}', 'No')`,
          `pay_run_changes('${run}')`,
          `pay_run_findings('${run}')`,
          `propose_corrections('${run}')`,
          `create_pay_run('monthly', 'USD', '2032-03-01')`,
          `add_adjustment('${staff}', '2032-03-01', '2032-03-31', 1, 'USD', 'Error')`,
        ]) {
          expect(await refused(person, `select ${call}`), call).toContain(
            'Only admins and finance',
          );
        }
        expect(await as(person, 'select * from payslips')).toEqual([]);
      }
    }));

  test('lists hours that nobody has approved, and pays the salary without them', () =>
    story(async ({ hire, hours, calculate, lines, owner }) => {
      const staff = await hire(guardHere);
      await hours(guardHere, [[5, 'overtime_1', 600]], { status: 'open' });
      const run = await calculate();
      expect((await lines(run, staff)).map(([kind]) => kind)).toEqual([
        'salary',
        'income_tax',
        'nasscorp',
      ]);
      const [{ problems } = {}] = await owner('select problems from pay_runs where id = $1', [run]);
      expect(problems).toMatchObject([{ code: 'hours_not_approved', staff_id: staff }]);
    }));

  test('is not locked when approved hours have changed since', () =>
    story(async ({ hire, hours, calculate, as, owner, refused, lock }) => {
      await hire(guardHere);
      await hours(guardHere, [[5, 'overtime_1', 600]]);
      const run = await calculate();
      await as(admin, 'select approve_pay_run($1)', [run]);
      await owner(`update timesheets set status = 'open'`);
      expect(await refused(finance, 'select lock_pay_run($1)', [run])).toContain(
        'Hours have changed',
      );
      await as(finance, 'select return_pay_run($1)', [run]);
      await lock(await calculate());
    }));
});

describe('a locked run', () => {
  test('writes the payroll record, the notice and the payslip that its person sees', () =>
    story(async ({ hire, hours, owner, as, calculate, lock }) => {
      const staff = await hire(guardHere);
      await owner(
        `insert into pay_items (staff_id, kind, name, amount, effective_from) values ($1, 'allowance', 'Transport', 10, '2032-01-01')`,
        [staff],
      );
      await hours(guardHere, [[5, 'overtime_1', 60]]);
      const run = await calculate();
      const own = () => as(guardHere, 'select count(*)::int as lines from payslip_lines');
      expect(await own()).toEqual([{ lines: 0 }]);
      await lock(run);
      expect(await own()).toEqual([{ lines: 5 }]);
      expect(await as(guardElsewhere, 'select * from payslip_lines')).toEqual([]);
      expect(
        await owner(`select base_amount, bonuses, deductions, net_amount, payment_status, currency,
          (select s.net from payslips s where s.payroll_id = p.id) as net from payroll p`),
      ).toEqual([
        {
          base_amount: '143.00',
          bonuses: '11.03',
          deductions: '18.62',
          net_amount: '135.41',
          payment_status: 'pending',
          currency: 'USD',
          net: '135.41',
        },
      ]);
      const [notice] = await owner('select title, body, link from notices');
      expect(notice).toMatchObject({
        title: 'Your payslip for March 2032',
        body: 'Net pay: US$135.41.',
      });
      // The notice opens the guard's payslip, whose lines add up to its net.
      expect(
        await as(
          guardHere,
          `select payslips ->> 'gross' as gross, payslips ->> 'net' as net, jsonb_array_length(payslips -> 'payslip_lines') as lines,
             (select sum((l ->> 'amount')::numeric) from jsonb_array_elements(payslips -> 'payslip_lines') l) as sum
           from my_payslips() where $1 = '/staff/payslips?open=' || id`,
          [notice?.link],
        ),
      ).toEqual([{ gross: '154.03', net: '135.41', lines: 5, sum: '135.41' }]);
      expect(await owner('select status, pay_run_id from timesheets')).toEqual([
        { status: 'locked', pay_run_id: run },
      ]);
    }));

  test('changes for nobody: neither service role nor owner of the database', () =>
    story(async ({ hire, hours, owner, refusedBeyondPolicies, calculate, lock }) => {
      const staff = await hire(guardHere);
      await owner(
        `insert into staff_ledger (staff_id, entry, kind, amount, repay_from) values ($1, 'issue', 'advance', 5, '2032-01-01')`,
        [staff],
      );
      await hours(guardHere, [[5, 'overtime_1', 60]]);
      await lock(await calculate());
      const tries = [
        'update payslip_lines set amount = amount + 1',
        `delete from payslip_lines where kind = 'salary'`,
        `insert into payslip_lines (payslip_id, position, kind, label, amount) select id, 99, 'regular', 'More', 0 from payslips`,
        'update payslips set net = net + 1, gross = gross + 1',
        'delete from payslips',
        'update pay_runs set lrd_per_usd = 1',
        `update pay_runs set status = 'draft'`,
        'delete from pay_runs',
        'truncate payslip_lines cascade',
        `update staff_ledger set amount = 1 where entry = 'repayment'`,
        'delete from staff_ledger',
        'delete from time_segments',
        `update payroll set net_amount = 1, notes = 'Changed'`,
        'delete from payroll',
      ];
      for (const sql of tries) {
        expect(await refusedBeyondPolicies('service_role', sql), sql).toMatch(
          /locked|kept|only|change|permission denied/,
        );
        // Functions of the database run as its owner, and cancel or pay the records.
        if (sql.includes('payroll')) continue;
        expect(await refusedBeyondPolicies('owner', sql), sql).toMatch(/locked|kept|only|change/);
      }
    }));

  test('is voided with a reason until its first payment; all it did is reverted', () =>
    story(async ({ hire, hours, owner, as, refused, calculate, lock }) => {
      const staff = await hire(guardHere);
      await owner(
        `insert into staff_ledger (staff_id, entry, kind, amount, repay_from) values ($1, 'issue', 'loan', 5, '2032-01-01')`,
        [staff],
      );
      await hours(guardHere, [[5, 'overtime_1', 60]]);
      const run = await calculate();
      await lock(run);
      expect(await refused(finance, `select void_pay_run($1, ' ')`, [run])).toContain(
        'Give a reason',
      );
      await as(finance, `select void_pay_run($1, 'Wrong rate')`, [run]);
      expect(await owner('select payment_status from payroll')).toEqual([
        { payment_status: 'cancelled' },
      ]);
      expect(await owner('select status, pay_run_id from timesheets')).toEqual([
        { status: 'approved', pay_run_id: null },
      ]);
      expect(await as(finance, 'select balance from ledger_balances()')).toEqual([
        { balance: '5.00' },
      ]);
      expect(await as(guardHere, 'select * from payslips')).toEqual([]);
      const again = await calculate();
      expect(again).not.toBe(run);
      await lock(again);
      await owner(`update payroll set payment_status = 'paid' where payment_status = 'pending'`);
      expect(await refused(finance, `select void_pay_run($1, 'Late')`, [again])).toContain(
        "can't be voided",
      );
    }));
});

test('a run beside the one before shows whose pay changes, and what is odd', () =>
  story(async ({ hire, hours, owner, as, calculate, lock }) => {
    const stays = await hire(guardHere);
    const leaves = await hire(guardElsewhere, { status: 'inactive', end_date: '2032-03-31' });
    await lock(await calculate());
    const comes = await hire(opsManager, { salary_amount: 20, hire_date: '2032-04-01' });
    const [stranger] = await owner(
      `select id from profiles where id not in (select user_id from staff) limit 1`,
    );
    await hours({ ...guardHere }, [[5, 'overtime_1', 60]], { month: 4 });
    await hours({ ...guardHere, id: String(stranger?.id) }, [[5, 'regular', 60]], { month: 4 });
    const run = await calculate('2032-04-01');
    const changes = await as(
      finance,
      'select staff_id, change, difference from pay_run_changes($1)',
      [run],
    );
    expect(changes.map(({ staff_id, change }) => [staff_id, change])).toEqual([
      [leaves, 'gone'],
      [comes, 'new'],
      [stays, 'more'],
    ]);
    const findings = await as(finance, 'select code, staff_id, user_id from pay_run_findings($1)', [
      run,
    ]);
    expect(findings).toEqual(
      [
        { code: 'hours_without_pay', staff_id: null, user_id: stranger?.id },
        { code: 'pay_without_hours', staff_id: comes, user_id: opsManager.id },
        { code: 'under_minimum', staff_id: comes, user_id: opsManager.id },
      ].sort((a, b) => a.code.localeCompare(b.code)),
    );
  }));

test('two calculations or two beginnings at once make one', async () => {
  await database.owner.query(
    `insert into staff (full_name, hire_date, salary_amount) select 'Person ' || n, '2030-01-01', 143 from generate_series(1, 30) n`,
  );
  const begin = `select create_pay_run('monthly', 'USD', '2033-03-01') as id`;
  /** In transactions of their own, which are committed. */
  const atOnce = (sql: string) =>
    Promise.all(
      [finance, admin].map(async (person) => {
        const client = await database.owner.connect();
        try {
          await client.query('begin');
          await become(client, person);
          const { rows } = await client.query(sql);
          await client.query('commit');
          return rows[0];
        } finally {
          client.release();
        }
      }),
    );
  const [first, second] = await atOnce(begin);
  expect(first.id).toBe(second.id);
  const counts = await atOnce(`select calculate_pay_run('${first.id}') as count`);
  expect(counts).toEqual([{ count: 30 }, { count: 30 }]);
  const { rows } = await database.owner.query(
    'select count(*)::int as slips, count(distinct staff_id)::int as people from payslips',
  );
  expect(rows).toEqual([{ slips: 30, people: 30 }]);
  await rolledBack(database.owner, async (client) => {
    await become(client, { claims: null });
    expect((await refusal(client, () => client.query(begin))).code).toBe('42501');
  });
});
