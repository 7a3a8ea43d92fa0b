// A payment that was recorded as paid, and that the bank returns days later: once, and again.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import {
  type PaymentFile,
  type PaymentStory,
  paymentStory,
  type ResultLine,
} from '#tests/support/payment-story.ts';
import { admin, finance, guardHere } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, refusal } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

type Scene = PaymentStory & {
  /** Lets the file be from some days ago. */
  makeOld: (file: PaymentFile) => Promise<void>;
  /** yyyy-MM-dd in the company's zone. */
  day: (daysAgo: number) => Promise<string>;
  /** Day, kind, account and amount of what the books say about payments. */
  journal: () => Promise<string[]>;
};

const story = (work: (scene: Scene) => Promise<void>) =>
  paymentStory(database.owner, async (scene) => {
    const { client } = scene;
    const asOwner = async (sql: string, values: unknown[] = []) => {
      await becomeOwner(client);
      const { rows } = await client.query(sql, values);
      await become(client, finance);
      return rows;
    };
    await work({
      ...scene,
      makeOld: async (file) => {
        await asOwner('set local session_replication_role = replica');
        await asOwner(
          `update payment_files set created_at = created_at - interval '20 days' where id = $1`,
          [file.id],
        );
        await asOwner('set local session_replication_role = origin');
      },
      day: async (daysAgo) =>
        (await asOwner('select (private.company_date() - $1::int)::text as day', [daysAgo]))[0].day,
      journal: async () =>
        (
          await client.query(
            `select concat_ws(' ', private.company_date() - (j ->> 'day')::date, j ->> 'kind', j ->> 'account_name',
               (j ->> 'debit')::numeric - (j ->> 'credit')::numeric) as line
             from jsonb_array_elements(journal_lines(private.company_date() - 60, private.company_date())) j
             where j ->> 'kind' like 'payment%' and (j ->> 'text') like '%September 2026%'`,
          )
        ).rows.map(({ line }) => line),
    });
  });

test('a returned payment is to be paid again, and the books show both days', () =>
  story(async ({ file, makeOld, day, report, codeOf, payments, status, payroll, journal }) => {
    const first = await file();
    await makeOld(first);
    const akoi = await codeOf('Akoi');
    const bendu = await codeOf('Bendu');
    await report(first, [
      { code: akoi, status: 'paid', reference: 'TX1', paid_on: await day(10) },
      { code: bendu, status: 'paid', reference: 'TX2', paid_on: await day(10) },
    ]);
    await report(await file('cash'), [{ code: await codeOf('Cole'), status: 'paid' }]);
    expect(await status()).toBe('paid');
    const before = await journal();

    const returned = { code: akoi, status: 'failed', failure: 'Account closed' };
    const answer = await report(first, [{ ...returned, paid_on: await day(3) }]);
    expect(answer).toEqual({ paid: 0, failed: 0, unchanged: 0, returned: 1 });
    expect((await payments()).filter(({ name }) => name === 'Akoi')).toMatchObject([
      { code: akoi, status: 'returned', failure: 'Account closed' },
      { status: 'to_pay', blocked: null, failure: null },
    ]);
    expect(await status()).toBe('locked');
    expect(await payroll()).toContainEqual({ name: 'Akoi', status: 'pending', date: null });
    // The old day stays as it was.
    const after = await journal();
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after.filter((line) => !before.includes(line)).sort()).toEqual(
      ['3 payment_return Mobile money 143.00', '3 payment_return Wages payable -143.00'].sort(),
    );

    // The same result again, with and without its day, and the one of before.
    for (const line of [
      { ...returned, paid_on: await day(3) },
      returned,
      { code: akoi, status: 'paid', reference: 'TX1', paid_on: await day(10) },
    ]) {
      expect(await report(first, [line])).toMatchObject({ unchanged: 1, returned: 0, paid: 0 });
    }
    expect(await payments()).toHaveLength(4);
    expect(await journal()).toEqual(after);

    // Paid again, then returned again.
    const second = await file();
    expect(second).toMatchObject({ line_count: 1, control_total: '143.00' });
    const again = await codeOf('Akoi');
    await report(second, [{ code: again, status: 'paid', reference: 'TX3' }]);
    expect(await status()).toBe('paid');
    expect(await payroll()).toContainEqual({ name: 'Akoi', status: 'paid', date: await day(0) });
    expect(await report(second, [{ code: again, status: 'failed' }])).toMatchObject({
      returned: 1,
    });
    expect(
      (await payments())
        .filter(({ name }) => name === 'Akoi')
        .map((one) => one.status)
        .sort(),
    ).toEqual(['returned', 'returned', 'to_pay']);
    const third = await file();
    await report(third, [{ code: await codeOf('Akoi'), status: 'paid' }]);
    expect(await status()).toBe('paid');
    // What left the company in the end is each person's net pay, once.
    const sums = await journal();
    const wages = sums
      .filter((line) => line.includes('Wages payable'))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    expect(wages).toBeCloseTo(493.24);
  }));

test('a return on a day before the payment, or a later payment by the old line, is refused', () =>
  story(async ({ client, file, makeOld, day, report, codeOf }) => {
    const made = await file();
    await makeOld(made);
    const code = await codeOf('Akoi');
    await report(made, [{ code, status: 'paid', reference: 'TX1', paid_on: await day(10) }]);
    const why = async (line: ResultLine) =>
      (await refusal(client, () => report(made, [{ code, ...line }]))).message;
    expect(await why({ status: 'failed', paid_on: await day(11) })).toMatch(
      /It was paid on .*, so it was returned between that day and today/,
    );
    expect(await why({ status: 'failed', paid_on: 'soon' })).toContain('Its date is not a day.');
    await report(made, [{ code, status: 'failed', paid_on: await day(4) }]);
    for (const line of [
      { status: 'paid', reference: 'TX9' },
      { status: 'paid', paid_on: await day(1) },
    ]) {
      expect(await why(line)).toMatch(/It was returned on .*, and is to be paid again/);
    }
  }));

test('a run whose only payment came back can be voided, and the books are even', () =>
  story(async ({ client, run, file, report, codeOf, journal }) => {
    const made = await file();
    for (const name of ['Akoi', 'Bendu'] as const) {
      const code = await codeOf(name);
      await report(made, [{ code, status: 'paid' }]);
      await report(made, [{ code, status: 'failed' }]);
    }
    await become(client, admin);
    await client.query(`select void_pay_run($1, 'Wrong accounts')`, [run]);
    const wages = (await journal())
      .filter((line) => line.includes('Wages payable'))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    expect(wages).toBeCloseTo(0);
  }));

test('the person reads on the payslip that the pay came back, until it is paid again', () =>
  story(async ({ client, file, report, codeOf }) => {
    await becomeOwner(client);
    await client.query(`update staff set user_id = null where user_id = $1`, [guardHere.id]);
    await client.query(`update staff set user_id = $1 where full_name = 'Akoi'`, [guardHere.id]);
    await become(client, finance);
    const own = async () => {
      await become(client, guardHere);
      const { rows } = await client.query(
        `select payment_status, payment_date, returned_on = private.company_date() as today, return_reason from my_payslips()`,
      );
      await become(client, finance);
      return rows;
    };
    const made = await file();
    const code = await codeOf('Akoi');
    await report(made, [{ code, status: 'paid' }]);
    expect(await own()).toMatchObject([{ payment_status: 'paid', return_reason: null }]);
    await report(made, [{ code, status: 'failed', failure: 'Account closed' }]);
    expect(await own()).toEqual([
      {
        payment_status: 'pending',
        payment_date: null,
        today: true,
        return_reason: 'Account closed',
      },
    ]);
    await report(await file(), [{ code: await codeOf('Akoi'), status: 'paid' }]);
    expect(await own()).toMatchObject([
      { payment_status: 'paid', today: null, return_reason: null },
    ]);
  }));
