// Returns of income tax and social security that are prepared, filed and paid. Months are those of 2025; L$184 for one US$.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, finance, guardHere, hr, type Person } from '#tests/support/people.ts';
import { addRun, KORPO, MUSU, type Slip } from '#tests/support/return-story.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const MARCH = { start: '2025-03-01', end: '2025-03-31' };
const APRIL = { start: '2025-04-01', end: '2025-04-30' };

class Returns {
  constructor(readonly client: PoolClient) {}

  async as(person: Person, sql: string, values: unknown[] = []) {
    await become(this.client, person);
    const { rows } = await this.client.query(sql, values);
    return rows;
  }

  async owner(sql: string, values: unknown[] = []) {
    await becomeOwner(this.client);
    const { rows } = await this.client.query(sql, values);
    return rows;
  }

  async refused(person: Person, sql: string, values: unknown[] = []): Promise<string> {
    await become(this.client, person);
    return (await refusal(this.client, () => this.client.query(sql, values))).message;
  }

  run = (days: typeof MARCH, slips: Slip[], more: { currency?: string; status?: string } = {}) =>
    addRun(this.client, { ...days, ...more }, slips);

  prepare = (month: string, kind = 'paye') =>
    this.as(
      finance,
      `select status, due_usd::float, due_lrd::float, brought_forward::float, due::float
       from prepare_pay_return($1, $2)`,
      [kind, month],
    );

  file = (month: string, on: string, kind = 'paye') =>
    this.as(finance, `select file_pay_return($1, $2, $3, 'LRA 1')`, [kind, month, on]);

  year = (kind = 'paye') =>
    this.as(
      finance,
      `select to_char(month, 'MM') as month, status, runs_usd::float, filed_usd::float
       from pay_return_year($1, 2025) where month between '2025-03-01' and '2025-05-01'`,
      [kind],
    );
}

const story = (work: (returns: Returns) => Promise<void>) =>
  rolledBack(database.owner, (client) => work(new Returns(client)));

describe('a prepared return', () => {
  test('equals the locked runs of its month to the cent, in both currencies and in LRD', () =>
    story(async (returns) => {
      await returns.run(MARCH, [MUSU, KORPO]);
      await returns.run(
        MARCH,
        [{ ...MUSU, gross: 26312, tax: 1989.04, employee: 1052.48, employer: 1578.72 }],
        {
          currency: 'LRD',
        },
      );
      await returns.run(APRIL, [MUSU]);
      expect(await returns.prepare('2025-03-01')).toEqual([
        // 15.81 x 184 + 1,989.04
        { status: 'prepared', due_usd: 15.81, due_lrd: 1989.04, brought_forward: 0, due: 4898.08 },
      ]);
      expect(await returns.prepare('2025-03-01', 'nasscorp')).toEqual([
        // (9.72 + 14.58) x 184 + 1,052.48 + 1,578.72
        { status: 'prepared', due_usd: 24.3, due_lrd: 2631.2, brought_forward: 0, due: 7102.4 },
      ]);
      const [schedule] = await returns.as(
        finance,
        `select s -> 'totals' as totals, s -> 'parts' as parts from statutory_schedule('2025-03-01', 'paye') s`,
      );
      expect(schedule.totals).toMatchObject([
        { currency: 'USD', people: 2, gross: '243.00', tax: '15.81' },
        { currency: 'LRD', people: 1, gross: '26312.00', tax: '1989.04' },
      ]);
      expect(schedule.parts).toMatchObject([
        { currency: 'USD', payslips: 2, is_reversal: false, tax: '15.81' },
        { currency: 'LRD', payslips: 1, tax: '1989.04' },
      ]);
    }));

  test('has the numbers of people and company, and is prepared again when one has come', () =>
    story(async (returns) => {
      await returns.run(MARCH, [MUSU]);
      await returns.as(finance, `update company_numbers set tin = '500104400'`);
      await returns.prepare('2025-03-01');
      await returns.as(finance, `update staff set tin = '500000111' where full_name = $1`, [
        MUSU.name,
      ]);
      const file = `select file_pay_return('paye', '2025-03-01', '2025-04-08', 'LRA 1')`;
      expect(await returns.refused(finance, file)).toMatch(/tax numbers have changed/);
      await returns.prepare('2025-03-01');
      await returns.as(finance, file);
      expect(
        await returns.as(
          finance,
          `select r.employer_number, l.tin from pay_returns r join pay_return_lines l on l.return_id = r.id
           where r.month = '2025-03-01'`,
        ),
      ).toEqual([{ employer_number: '500104400', tin: '500000111' }]);
    }));

  test('is filed after its month, with a reference, and in order from the first one on', () =>
    story(async (returns) => {
      await returns.run(MARCH, [MUSU]);
      await returns.prepare('2025-03-01');
      const file = (on: string, reference: string) =>
        `select file_pay_return('paye', '2025-03-01', '${on}', '${reference}')`;
      expect(await returns.refused(finance, file('2025-03-31', 'LRA 1'))).toMatch(
        /after the month/,
      );
      expect(await returns.refused(finance, file('2025-04-08', ' '))).toMatch(/reference/);
      await returns.file('2025-03-01', '2025-04-08');
      const prepare = (month: string) => `select prepare_pay_return('paye', '${month}')`;
      expect(await returns.refused(finance, prepare('2025-02-01'))).toMatch(
        /Returns begin with March 2025/,
      );
      expect(await returns.refused(finance, prepare('2025-05-01'))).toMatch(/made in order/);
      expect(await returns.refused(finance, prepare('2025-03-01'))).toMatch(/is filed/);
      // The other authority has its own order.
      await returns.prepare('2025-05-01', 'nasscorp');
    }));

  test('that is to file is open work of its month, until it is filed', () =>
    story(async (returns) => {
      const open = () =>
        returns.as(
          finance,
          `select amount from closing_work('2025-04-10') where item = 'pay_returns'`,
        );
      await returns.run(MARCH, [MUSU]);
      await returns.run(APRIL, [MUSU]);
      await returns.prepare('2025-03-01');
      await returns.file('2025-03-01', '2025-04-08');
      expect(await open()).toEqual([{ amount: 1 }]);
      await returns.prepare('2025-04-01');
      await returns.file('2025-04-01', '2025-05-08');
      expect(await open()).toEqual([{ amount: 0 }]);
    }));

  test('is for admins and finance', () =>
    story(async (returns) => {
      for (const call of [
        `prepare_pay_return('paye', '2025-03-01')`,
        `pay_return_year('paye', 2025)`,
        `pay_certificates(2025)`,
      ])
        expect(await returns.refused(hr, `select ${call}`)).toMatch(/Only admins and finance/);
    }));
});

describe('what changes after filing', () => {
  test('is a difference of the year, and comes with the next return', () =>
    story(async (returns) => {
      const first = await returns.run(MARCH, [MUSU, KORPO]);
      await returns.prepare('2025-03-01');
      await returns.file('2025-03-01', '2025-04-08');
      await returns.as(admin, `select void_pay_run($1, 'Wrong rate')`, [first]);
      await returns.run(MARCH, [{ ...MUSU, tax: 12 }]);
      await returns.run(APRIL, [KORPO]);
      expect(await returns.year()).toEqual([
        { month: '03', status: 'filed', runs_usd: 12, filed_usd: 15.81 },
        { month: '04', status: 'open', runs_usd: 5, filed_usd: 0 },
        { month: '05', status: 'open', runs_usd: 0, filed_usd: 0 },
      ]);
      // 5.00 of April, 12.00 of the new run of March, less 15.81 of the voided one.
      expect(await returns.prepare('2025-04-01')).toMatchObject([{ due_usd: 1.19 }]);
      await returns.file('2025-04-01', '2025-05-09');
      expect((await returns.year()).slice(0, 2)).toEqual([
        { month: '03', status: 'filed', runs_usd: 12, filed_usd: 12 },
        { month: '04', status: 'filed', runs_usd: 5, filed_usd: 5 },
      ]);
      expect(await returns.prepare('2025-05-01')).toMatchObject([{ due_usd: 0 }]);
    }));

  test('and takes back more than a month has is a credit of the next return', () =>
    story(async (returns) => {
      const first = await returns.run(MARCH, [MUSU]);
      await returns.prepare('2025-03-01');
      await returns.file('2025-03-01', '2025-04-08');
      await returns.as(admin, `select void_pay_run($1, 'Paid elsewhere')`, [first]);
      expect(await returns.prepare('2025-04-01')).toMatchObject([
        { due_usd: -10.81, due: -1989.04 },
      ]);
      await returns.file('2025-04-01', '2025-05-08');
      expect(await returns.prepare('2025-05-01')).toMatchObject([
        { brought_forward: 1989.04, due: -1989.04 },
      ]);
    }));
});

describe('a filed return', () => {
  const filedMarch = async (returns: Returns) => {
    await returns.run(MARCH, [MUSU]);
    for (const kind of ['paye', 'nasscorp']) {
      await returns.prepare('2025-03-01', kind);
      await returns.file('2025-03-01', '2025-04-08', kind);
    }
  };
  const pay = (kind: string, usd: number, lrd: number) =>
    `select pay_pay_return('${kind}', '2025-03-01', '2025-04-09', ${usd}, ${lrd}, 'bank', 'TT 9')`;

  test('is paid in either currency, and the payment clears what the run owes', () =>
    story(async (returns) => {
      await filedMarch(returns);
      expect(await returns.refused(finance, pay('paye', 5, 0))).toMatch(
        /L\$1,989\.04 is due, at 184 LRD for one US\$\. This is L\$1,069\.04 too little/,
      );
      await returns.as(finance, pay('paye', 10.81, 0));
      await returns.as(finance, pay('nasscorp', 14.3, 0));
      expect(
        await returns.owner(
          `select concat_ws(' ', kind, day, document, key, currency, amount) as line
           from private.journal_entries('2025-03-01', '2025-04-30')
           where kind like '%\\_payment' and document like '%2025-03' and amount <> 0
           order by kind desc, place`,
        ),
      ).toEqual(
        [
          'paye_payment 2025-04-09 PAYE 2025-03 income_tax_payable USD 10.81',
          'paye_payment 2025-04-09 PAYE 2025-03 bank USD -10.81',
          'nasscorp_payment 2025-04-09 NASSCORP 2025-03 nasscorp_payable USD 14.30',
          'nasscorp_payment 2025-04-09 NASSCORP 2025-03 bank USD -14.30',
        ].map((line) => ({ line })),
      );
      expect(
        await returns.owner(
          `select key, sum(amount)::float as balance from private.journal_entries('2025-03-01', '2025-04-30')
           where key in ('income_tax_payable', 'nasscorp_payable') group by key order by key`,
        ),
      ).toEqual([
        { key: 'income_tax_payable', balance: 0 },
        { key: 'nasscorp_payable', balance: 0 },
      ]);
    }));

  test('is reopened step by step with a reason, by somebody else than who filed it', () =>
    story(async (returns) => {
      await filedMarch(returns);
      await returns.as(finance, pay('paye', 10.81, 0));
      const reopen = (reason: string) =>
        `select (reopen_pay_return('paye', '2025-03-01', '${reason}')).status`;
      expect(await returns.refused(finance, reopen('Wrong reference'))).toMatch(
        /Someone else must reopen it/,
      );
      expect(await returns.refused(admin, reopen(' '))).toMatch(/Give a reason/);
      expect(await returns.as(admin, reopen('Wrong reference'))).toEqual([{ status: 'filed' }]);
      expect(await returns.as(admin, reopen('Wrong reference'))).toEqual([{ status: 'prepared' }]);
      expect(await returns.refused(admin, reopen('Wrong reference'))).toMatch(/not filed/);
    }));

  test('is neither paid nor freed of its payment in closed books', () =>
    story(async (returns) => {
      await filedMarch(returns);
      await returns.as(finance, pay('paye', 10.81, 0));
      await returns.as(finance, `select close_books('2025-04-30')`);
      expect(await returns.refused(finance, pay('nasscorp', 14.3, 0))).toMatch(/books are closed/);
      expect(
        await returns.refused(admin, `select reopen_pay_return('paye', '2025-03-01', 'Wrong')`),
      ).toMatch(/books are closed/);
    }));
});

describe('the year of a person', () => {
  test('is on the certificate by month, and on the payslip up to its period', () =>
    story(async (returns) => {
      await returns.run(MARCH, [MUSU]);
      await returns.run(APRIL, [{ ...MUSU, tax: 11 }]);
      await returns.run(APRIL, [KORPO], { currency: 'LRD', status: 'approved' });
      const [certificates] = await returns.as(
        finance,
        `select c -> 'count' as count, c -> 'rows' as rows from pay_certificates(2025) c`,
      );
      expect(certificates.count).toBe(1);
      expect(certificates.rows[0]).toMatchObject({
        full_name: MUSU.name,
        months: [
          { month: '2025-03-01', currency: 'USD', gross: '143.00', tax: '10.81', employer: '8.58' },
          { month: '2025-04-01', currency: 'USD', tax: '11.00', employee: '5.72' },
        ],
      });
      const sums = (person: Person) =>
        returns.as(
          person,
          `select year_to_date(s) ->> 'tax' as tax, year_to_date(s) ->> 'employer' as employer
           from payslips s join staff f on f.id = s.staff_id where f.full_name = $1 order by year_to_date(s) ->> 'tax'`,
          [MUSU.name],
        );
      expect(await sums(finance)).toEqual([
        { tax: '10.81', employer: '8.58' },
        { tax: '21.81', employer: '17.16' },
      ]);
      // With a row that names their own account, for the payslip of another.
      const [slip] = await returns.owner('select id from payslips where gross = 143 limit 1');
      expect(
        await returns.as(
          guardHere,
          `select year_to_date(jsonb_populate_record(null::payslips, jsonb_build_object('id', $1::uuid, 'user_id', $2::uuid)))
             as year`,
          [slip?.id, guardHere.id],
        ),
      ).toEqual([{ year: null }]);
    }));
});

describe('a number of the authorities', () => {
  const enter = (columns: string) => `update staff set ${columns} where full_name = $1`;

  test('has the form of the day on which it is entered', () =>
    story(async (returns) => {
      await returns.run(MARCH, [MUSU]);
      const refused = (columns: string) => returns.refused(finance, enter(columns), [MUSU.name]);
      expect(await refused(`tin = '50012'`)).toBe(
        'A tax number (TIN) has: 9 digits and nothing else. "50012" has not.',
      );
      expect(await refused(`nasscorp_number = '10450021X'`)).toMatch(/^A NASSCORP number has/);
      await returns.as(finance, enter(`tin = ' 500000111 ', nasscorp_number = '104500217'`), [
        MUSU.name,
      ]);
      await returns.as(
        finance,
        `insert into tax_number_formats (kind, effective_from, mask, source)
         values ('tin', '2026-01-01', 'AA-9999', 'A new law')`,
      );
      // What is stored stays, also when another column changes.
      await returns.as(finance, enter(`phone = '+231770000991'`), [MUSU.name]);
      expect(await refused(`tin = '500000112'`)).toMatch(
        /the form AA-9999, where 9 is a digit and A a capital letter/,
      );
      await returns.as(finance, enter(`tin = 'LR-0042'`), [MUSU.name]);
    }));

  test('is of one person of the staff', () =>
    story(async (returns) => {
      await returns.run(MARCH, [MUSU, KORPO]);
      await returns.as(finance, enter(`tin = '500000111'`), [MUSU.name]);
      expect(await returns.refused(finance, enter(`tin = '500000111'`), [KORPO.name])).toMatch(
        /staff_one_per_tin/,
      );
    }));

  test('that is missing is listed: the company first, then people and clients', () =>
    story(async (returns) => {
      await returns.run(MARCH, [MUSU]);
      await returns.as(finance, enter(`tin = '500000111'`), [MUSU.name]);
      const missing = () =>
        returns.as(
          finance,
          `select subject, tin, nasscorp_number from missing_tax_numbers() where name in ('', $1)`,
          [MUSU.name],
        );
      expect(await missing()).toEqual([
        { subject: 'company', tin: true, nasscorp_number: true },
        { subject: 'staff', tin: false, nasscorp_number: true },
      ]);
      await returns.as(
        finance,
        `update company_numbers set tin = '500104400', nasscorp_number = '100044210'`,
      );
      expect(await missing()).toHaveLength(1);
      expect(await returns.as(guardHere, 'select from missing_tax_numbers()')).toEqual([]);
    }));
});
