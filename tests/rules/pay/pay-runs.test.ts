// How salary, hours, shifts, unpaid time, tax and repayments become the lines of payslips. March 2032 begins on a Monday.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Hours, hoursOn, type PayStory, payStory } from '#tests/support/pay-story.ts';
import { finance, guardElsewhere, guardHere } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(
    `truncate staff cascade; truncate timesheets cascade; delete from notices;
    delete from pay_rates where effective_from > '2026-01-01'`,
  );
});

const story = (work: (story: PayStory) => Promise<void>) => payStory(database.owner, work);

/** Twelve hours on six days of each of four weeks: 48 h within the limit, 24 h beyond. */
const LONG_WEEKS = [1, 8, 15, 22].flatMap((monday): Hours[] => [
  ...hoursOn([monday, monday + 1, monday + 2, monday + 3], 'regular', 720),
  ...hoursOn([monday + 4, monday + 5], 'overtime_1', 720),
]);

describe('a salary', () => {
  test('of US$143 with 104 h of overtime is the worked example, to the cent', () =>
    story(async ({ hire, hours, calculate, lines, slip }) => {
      const staff = await hire(guardHere);
      await hours(guardHere, [
        ...LONG_WEEKS,
        ...hoursOn([29], 'regular', 960),
        ...hoursOn([30], 'overtime_1', 480),
      ]);
      const run = await calculate();
      expect(await lines(run, staff)).toEqual([
        ['salary', '1', '143.00'],
        ['regular', '208', '0.00'],
        ['overtime_1', '104', '107.25'],
        ['income_tax', '', '-26.89'],
        ['nasscorp', '', '-10.01'],
      ]);
      expect(await slip(run, staff)).toEqual({
        gross: '250.25',
        taxable: '250.25',
        deductions: '36.90',
        net: '213.35',
        employer_cost: '15.02',
      });
    }));

  test('without hours is paid in full, with the tax and the employer’s share of the worked example', () =>
    story(async ({ hire, calculate, lines, slip }) => {
      const staff = await hire(guardHere);
      const run = await calculate();
      expect(await lines(run, staff)).toEqual([
        ['salary', '1', '143.00'],
        ['income_tax', '', '-10.81'],
        ['nasscorp', '', '-5.72'],
      ]);
      expect(await slip(run, staff)).toMatchObject({ net: '126.47', employer_cost: '8.58' });
    }));

  test('of a non-resident is taxed at 20 %', () =>
    story(async ({ hire, calculate, lines }) => {
      const staff = await hire(guardHere, { tax_resident: false });
      expect(await lines(await calculate(), staff)).toContainEqual(['income_tax', '', '-28.60']);
    }));

  test.each([
    ['hired in mid-month', { hire_date: '2032-03-17' }, '15', '69.19'],
    ['left in mid-month', { status: 'inactive', end_date: '2032-03-10' }, '10', '46.13'],
  ])('of someone %s is its share by days', (_, columns, days, amount) =>
    story(async ({ hire, calculate, lines }) => {
      const staff = await hire(guardHere, columns);
      expect((await lines(await calculate(), staff))[0]).toEqual(['salary', days, amount]);
    }),
  );

  test('that changes in mid-month is one line for each, and overtime follows its day', () =>
    story(async ({ hire, hours, owner, calculate, lines }) => {
      const staff = await hire(guardHere);
      await owner(
        `insert into pay_bases (staff_id, effective_from, amount) values ($1, '2032-03-16', 286)`,
        [staff],
      );
      await hours(guardHere, [
        [5, 'overtime_1', 60],
        [20, 'overtime_1', 60],
      ]);
      const found = (await lines(await calculate(), staff)).slice(0, 4);
      expect(found).toEqual([
        ['salary', '15', '69.19'],
        ['overtime_1', '1', '1.03'],
        ['salary', '16', '147.61'],
        ['overtime_1', '1', '2.06'],
      ]);
    }));

  test('contains holiday work once within 48 h of the week, and not beyond', () =>
    story(async ({ hire, hours, calculate, lines }) => {
      const staff = await hire(guardHere);
      // Monday of week 1 is within; Friday of week 2 comes after 48 h.
      await hours(guardHere, [
        ...hoursOn([1], 'holiday', 480),
        ...hoursOn([8, 9, 10, 11], 'regular', 720),
        ...hoursOn([12], 'holiday', 600),
      ]);
      expect(
        (await lines(await calculate(), staff)).filter(([kind]) => kind === 'holiday'),
      ).toEqual([
        ['holiday', '8', '5.50'],
        ['holiday', '10', '13.75'],
      ]);
    }));

  test('loses missing hours only while the week stays below 48 paid hours', () =>
    story(async ({ hire, hours, calculate, lines }) => {
      const missing = { day: '2032-03-06', missing_minutes: 480 };
      const short = await hire(guardHere);
      await hours(guardHere, hoursOn([1, 2, 3, 4, 5], 'regular', 480), { days: missing });
      const long = await hire(guardElsewhere);
      await hours(
        guardElsewhere,
        [...hoursOn([1, 2, 3, 4], 'regular', 720), ...hoursOn([5], 'overtime_1', 720)],
        {
          days: missing,
        },
      );
      const run = await calculate();
      expect(await lines(run, short)).toContainEqual(['absence', '8', '-5.50']);
      expect((await lines(run, long)).map(([kind]) => kind)).not.toContain('absence');
    }));

  test('pays leave, takes unpaid leave, and never falls below zero', () =>
    story(async ({ hire, hours, calculate, lines, slip }) => {
      const paid = await hire(guardHere);
      await hours(guardHere, hoursOn([1, 2, 3, 4, 5, 6], 'leave_paid', 480));
      const away = await hire(guardElsewhere);
      const days = Array.from({ length: 31 }, (_, index) => index + 1);
      await hours(guardElsewhere, hoursOn(days, 'leave_unpaid', 720));
      const run = await calculate();
      expect((await lines(run, paid)).slice(0, 2)).toEqual([
        ['salary', '1', '143.00'],
        ['leave_paid', '48', '0.00'],
      ]);
      expect(await lines(run, away)).toContainEqual(['leave_unpaid', '216', '-143.00']);
      expect(await slip(run, away)).toMatchObject({ gross: '0.00', net: '0.00' });
    }));
});

describe('currencies', () => {
  test('stay apart: each run pays its own, and LRD is taxed without conversion', () =>
    story(async ({ hire, owner, calculate, lines, slip }) => {
      const dollars = await hire(guardHere);
      const local = await hire(guardElsewhere, { salary_amount: 30000, currency: 'LRD' });
      await owner(
        `insert into pay_items (staff_id, kind, name, amount, currency, effective_from) values
           ($1, 'allowance', 'Transport', 10, 'USD', '2032-01-01'), ($1, 'allowance', 'Rice', 500, 'LRD', '2032-01-01')`,
        [local],
      );
      const [usd, lrd] = [await calculate(), await calculate('2032-03-01', 'monthly', 'LRD')];
      expect(await slip(usd, local)).toEqual({});
      expect(await slip(lrd, dollars)).toEqual({});
      // 30,500 x 12 = 366,000 a year: 6,500 + 15 % of 166,000.
      expect(await lines(lrd, local)).toEqual([
        ['salary', '1', '30000.00'],
        ['allowance', '1', '500.00'],
        ['income_tax', '', '-2616.67'],
        ['nasscorp', '', '-1220.00'],
      ]);
      const [{ problems } = {}] = await owner('select problems from pay_runs where id = $1', [lrd]);
      expect(problems).toMatchObject([{ code: 'other_currency' }]);
    }));

  test('of a person who changes from one to the other share the month by days', () =>
    story(async ({ hire, owner, calculate, lock, lines }) => {
      const staff = await hire(guardHere);
      await owner(
        `insert into pay_bases (staff_id, effective_from, amount, currency) values ($1, '2032-03-11', 31000, 'LRD')`,
        [staff],
      );
      const [usd, lrd] = [await calculate(), await calculate('2032-03-01', 'monthly', 'LRD')];
      expect((await lines(usd, staff))[0]).toEqual(['salary', '10', '46.13']);
      expect((await lines(lrd, staff))[0]).toEqual(['salary', '21', '21000.00']);
      await lock(usd);
      await lock(lrd);
      expect(
        await owner(
          'select period_start::text, period_end::text, currency from payroll order by 1',
        ),
      ).toEqual([
        { period_start: '2032-03-01', period_end: '2032-03-10', currency: 'USD' },
        { period_start: '2032-03-11', period_end: '2032-03-31', currency: 'LRD' },
      ]);
    }));
});

describe('allowances and deductions', () => {
  test('count per period, day and shift; those without tax lower no social security', () =>
    story(async ({ hire, hours, owner, calculate, lines, slip }) => {
      const staff = await hire(guardHere);
      await hours(guardHere, hoursOn([1, 2, 3], 'regular', 480));
      await owner(
        `insert into pay_items (staff_id, kind, name, amount, per, taxable, effective_from, effective_to) values
          ($1, 'allowance', 'A Transport', 3, 'day', false, '2032-01-01', null),
          ($1, 'allowance', 'B Night', 2, 'shift', true, '2032-03-02', null),
          ($1, 'allowance', 'C Phone', 31, 'period', true, '2032-01-01', '2032-03-10'),
          ($1, 'deduction', 'D Union', 4, 'period', true, '2032-01-01', null)`,
        [staff],
      );
      const run = await calculate();
      expect((await lines(run, staff)).slice(2)).toEqual([
        ['allowance', '3', '9.00'],
        ['allowance', '10', '10.00'],
        ['allowance', '2', '4.00'],
        ['income_tax', '', expect.any(String)],
        ['nasscorp', '', '-6.64'],
        ['deduction', '', '-4.00'],
      ]);
      expect(await slip(run, staff)).toMatchObject({ gross: '166.00', taxable: '157.00' });
    }));

  test('repayments take their part within a share of net pay, oldest first, and never more than is owed', () =>
    story(async ({ hire, owner, as, refused, calculate, lock, lines }) => {
      const staff = await hire(guardHere);
      const issue = (kind: string, amount: number, part: number, from: string) =>
        owner(
          `insert into staff_ledger (staff_id, entry, kind, amount, repay_per_period, repay_from)
           values ($1, 'issue', $2, $3, $4, $5) returning id`,
          [staff, kind, amount, part, from],
        );
      const [advance] = await issue('advance', 15, 10, '2032-01-01');
      await issue('loan', 500, 40, '2032-02-01');
      await issue('uniform', 30, 10, '2032-05-01');
      const march = await calculate();
      // A quarter of 126.47 is 31.61.
      const repaid = (found: string[][]) =>
        found.filter(([kind]) => kind === 'advance' || kind === 'loan' || kind === 'uniform');
      expect(repaid(await lines(march, staff))).toEqual([
        ['advance', '', '-10.00'],
        ['loan', '', '-21.61'],
      ]);
      await lock(march);
      const april = await calculate('2032-04-15');
      expect(repaid(await lines(april, staff))).toEqual([
        ['advance', '', '-5.00'],
        ['loan', '', '-26.61'],
      ]);
      await lock(april);
      expect(
        await as(finance, 'select kind, balance from ledger_balances($1) order by 1', [staff]),
      ).toEqual([
        { kind: 'advance', balance: '0.00' },
        { kind: 'loan', balance: '451.78' },
        { kind: 'uniform', balance: '30.00' },
      ]);
      const more = `insert into staff_ledger (staff_id, entry, kind, loan_id, currency, amount) values ($1, $2, 'advance', $3, $4, $5)`;
      expect(
        await refused(finance, more, [staff, 'repayment', advance?.id, 'USD', 0.01]),
      ).toContain('0.00 are still owed');
      expect(await refused(finance, more, [staff, 'write_off', advance?.id, 'LRD', 1])).toContain(
        'is not repaid in LRD',
      );
    }));
});

test('the staff record and the basis of today follow each other', () =>
  story(async ({ hire, owner, as, refused }) => {
    const staff = await hire(guardHere);
    const bases = () =>
      owner(
        'select amount, currency, basis from pay_bases where staff_id = $1 order by effective_from',
        [staff],
      );
    expect(await bases()).toEqual([{ amount: '143.00', currency: 'USD', basis: 'salary' }]);
    await owner(
      `update pay_bases set effective_from = current_date - 100, amount = 150 where staff_id = $1`,
      [staff],
    );
    await as(finance, 'update staff set salary_amount = 160 where id = $1', [staff]);
    await as(finance, 'update staff set salary_amount = 165 where id = $1', [staff]);
    expect(await bases()).toMatchObject([{ amount: '150.00' }, { amount: '165.00' }]);
    await as(
      finance,
      `insert into pay_bases (staff_id, effective_from, basis, amount, currency)
      values ($1, current_date + 30, 'hourly', 200, 'LRD')`,
      [staff],
    );
    const [record] = await owner(
      'select salary_amount, currency, pay_basis from staff where id = $1',
      [staff],
    );
    expect(record).toEqual({ salary_amount: '165.00', currency: 'USD', pay_basis: 'salary' });
    await as(
      finance,
      `delete from pay_bases where staff_id = $1 and effective_from <= current_date`,
      [staff],
    );
    const [later] = await owner(
      'select salary_amount, currency, pay_basis from staff where id = $1',
      [staff],
    );
    expect(later).toEqual({ salary_amount: '200.00', currency: 'LRD', pay_basis: 'hourly' });
    expect(await refused(finance, 'delete from pay_bases where staff_id = $1', [staff])).toContain(
      'one pay basis at least',
    );
  }));
