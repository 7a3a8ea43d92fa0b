// Monthly amounts, minimums, credits for gaps, and time that is waived. Days count from March 1, 2025.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { billingStory, type Caller, dayShifts } from '#tests/support/billing-story.ts';
import { bystander, finance, guardHere } from '#tests/support/people.ts';
import { LENIENT_RULES } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(LENIENT_RULES);
});

const story = (work: (caller: Caller) => Promise<void>) => billingStory(database.owner, work);

describe('a monthly amount', () => {
  test('is one line a month, whatever was worked, and by days where the post begins or ends', () =>
    story(async (caller) => {
      const { story, draft, lines } = caller;
      await story.bill('gate', { basis: 'fixed', monthly_amount: 1000, ends_on: '2025-04-20' });
      await story.bill('yard', { basis: 'fixed', monthly_amount: 310, starts_on: '2025-03-17' });
      await dayShifts(caller, [3]);
      await draft(1, 31);
      expect(await lines()).toEqual(['fixed 1 1000.00', 'fixed 0.4839 150.00']);
      await draft(32, 61);
      expect((await lines()).slice(2)).toEqual(['fixed 0.6667 666.67', 'fixed 1 310.00']);
    }));

  test('belongs to the draft that contains the end of its month, so that it is billed once', () =>
    story(async (caller) => {
      const { story, draft, lines } = caller;
      await story.bill('gate', { basis: 'fixed', monthly_amount: 1000 });
      expect(await draft(1, 15)).toEqual([]);
      await draft(16, 46);
      expect(await lines()).toEqual(['fixed 1 1000.00']);
      await draft(47, 61);
      expect(await lines()).toEqual(['fixed 1 1000.00', 'fixed 1 1000.00']);
    }));

  test('has the tax of each of its days, and a changed amount counts from its day', () =>
    story(async (caller) => {
      const { story, draft, owner } = caller;
      const old = await story.bill('gate', { basis: 'fixed', monthly_amount: 1000 });
      await story.query(
        `insert into tax_rates (name, rate, effective_from) values ('VAT', 0.1, '2025-01-01'), ('VAT', 0.2, '2025-03-21')`,
      );
      await story.query(`update contracts set tax_name = 'VAT' where id = $1`, [story.contract]);
      await owner(`update contract_posts set ends_on = '2025-03-10' where id = $1`, [old]);
      await story.bill('gate', {
        basis: 'fixed',
        monthly_amount: 1240,
        starts_on: '2025-03-11',
      });
      const [found] = await draft(1, 31);
      expect(
        await owner(
          `select days::text, amount, tax_amount from invoice_lines where invoice_id = $1 order by days`,
          [found?.invoice_id],
        ),
      ).toEqual([
        { days: '{[2025-03-01,2025-03-11)}', amount: '322.58', tax_amount: '32.26' },
        { days: '{[2025-03-11,2025-03-21)}', amount: '400.00', tax_amount: '40.00' },
        { days: '{[2025-03-21,2025-04-01)}', amount: '440.00', tax_amount: '88.00' },
      ]);
    }));

  test('of a post that goes on after it was billed to its end is billed for the other days', () =>
    story(async (caller) => {
      const { story, draft, lines, issue, owner, as } = caller;
      const post = await story.bill('gate', {
        basis: 'fixed',
        monthly_amount: 310,
        ends_on: '2025-03-10',
      });
      const [first] = await draft(1, 31);
      expect(await lines()).toEqual(['fixed 0.3226 100.00']);
      await issue(first?.invoice_id);
      await owner('update contract_posts set ends_on = null where id = $1', [post]);
      const [second] = await draft(1, 31);
      expect(await lines()).toEqual(['fixed 0.6774 210.00']);
      await issue(second?.invoice_id);
      expect(await draft(1, 31)).toEqual([]);
      await as(finance, `select credit_invoice($1, 'Wrong days')`, [first?.invoice_id]);
      await draft(1, 31);
      expect(await lines()).toEqual(['fixed 0.3226 100.00']);
    }));

  test('loses the price of uncovered hours if the contract says so, and each day once', () =>
    story(async (caller) => {
      const { story, draft, lines, owner } = caller;
      await owner(`update contracts set gap_credit = 'hours' where id = $1`, [story.contract]);
      await story.bill('gate', { basis: 'fixed', monthly_amount: 1000 });
      await dayShifts(caller, [3, 4]);
      await dayShifts(caller, [5], '09:00-18:00');
      await story.shift('gate', 6, '06:00-18:00');
      await draft(1, 31);
      // 15 of 48 required hours.
      expect(await lines()).toEqual(['fixed 1 1000.00', 'gap_credit -15 -312.50']);
      expect(
        await story.query(`select days::text, rate from invoice_lines where kind = 'gap_credit'`),
      ).toEqual([{ days: '{[2025-03-05,2025-03-07)}', rate: '20.8333' }]);
    }));
});

test('an uncovered hour at a post that joins in mid-month costs its share of what is required from then on', () =>
  billingStory(database.owner, async ({ story, draft, lines, owner }) => {
    await owner(`update contracts set gap_credit = 'hours' where id = $1`, [story.contract]);
    await story.bill(undefined, { basis: 'fixed', monthly_amount: 1000 });
    await story.bill('gate', { basis: 'fixed', monthly_amount: 620, starts_on: '2025-03-17' });
    const gate = [3, 20].map((day) => story.shift('gate', day, '06:00-18:00'));
    const [before = '', after = ''] = await Promise.all(gate);
    await story.work(guardHere, before, '06:00-18:00');
    await story.work(guardHere, after, '06:00-12:00');
    await story.work(guardHere, await story.shift('yard', 5, '06:00-18:00'), '06:00-12:00');
    await draft(1, 31);
    // 300 for 12 h of the gate; 1000 for 12 h of the gate before it, and 12 h of the yard.
    expect((await lines()).filter((line) => line.startsWith('gap_credit'))).toEqual([
      'gap_credit -6 -150.00',
      'gap_credit -6 -250.00',
    ]);
  }));

describe('a minimum', () => {
  test('is filled up at the regular rate, and not when more was worked', () =>
    story(async (caller) => {
      const { story, draft, lines } = caller;
      await story.bill('gate', { basis: 'minimum', minimum_hours: 40 });
      await story.rate(2);
      await dayShifts(caller, [3, 4]);
      await dayShifts(caller, [33, 34, 35, 36]);
      await draft(1, 31);
      expect(await lines()).toEqual(['regular 24 48.00', 'minimum 16 32.00']);
      await draft(32, 61);
      expect((await lines()).slice(2)).toEqual(['regular 48 96.00']);
    }));

  test('is filled up at the rates of the days of its month', () =>
    story(async (caller) => {
      const { story, draft, lines } = caller;
      await story.bill('gate', { basis: 'minimum', minimum_hours: 31 });
      await story.rate(2);
      await story.rate(3, { effective_from: '2025-03-11' });
      await draft(1, 31);
      expect(await lines()).toEqual(['minimum 10 20.00', 'minimum 21 63.00']);
    }));

  test('counts hours that wait for approval or are waived, so that nothing is billed as missing and as worked', () =>
    story(async (caller) => {
      const { story, draft, lines, as } = caller;
      await story.bill('gate', { basis: 'minimum', minimum_hours: 40 });
      await story.rate(2);
      await dayShifts(caller, [3]);
      const waiting = await story.shift('gate', 4, '06:00-18:00');
      await story.work(bystander, waiting, '06:00-18:00', { status: 'open' });
      const free = await story.work(
        guardHere,
        await story.shift('gate', 5, '06:00-18:00'),
        '06:00-16:00',
      );
      await as(finance, `select waive_time(array[$1::uuid], 'Training of ours')`, [free]);
      await draft(1, 15);
      await draft(16, 31);
      // 12 h billed, 12 h to be billed, 10 h waived.
      expect(await lines()).toEqual(['regular 12 24.00', 'minimum 6 12.00']);
    }));

  test('counts what an earlier invoice of the month has billed', () =>
    story(async (caller) => {
      const { story, draft, lines } = caller;
      await story.bill('gate', { basis: 'minimum', minimum_hours: 40 });
      await story.rate(2);
      await dayShifts(caller, [3, 20]);
      await draft(1, 15);
      await draft(16, 31);
      expect(await lines()).toEqual(['regular 12 24.00', 'regular 12 24.00', 'minimum 16 32.00']);
    }));
});

test('a penalty takes uncovered hours off at its factor, at posts of worked hours too', () =>
  story(async (caller) => {
    const { story, draft, lines, owner } = caller;
    await story.bill('gate');
    await story.rate(2);
    await dayShifts(caller, [3]);
    await story.shift('gate', 4, '06:00-18:00');
    await owner(`update contracts set gap_credit = 'hours' where id = $1`, [story.contract]);
    await draft(1, 31);
    expect(await lines()).toEqual(['regular 12 24.00']);
    await owner(`update contracts set gap_credit = 'penalty', gap_factor = 0.5 where id = $1`, [
      story.contract,
    ]);
    await draft(1, 31);
    expect(await lines()).toEqual(['regular 12 24.00', 'gap_credit -12 -12.00']);
  }));

describe('waived time', () => {
  test('is neither billed nor listed, and can be billed again once that is undone', () =>
    story(async (caller) => {
      const { story, draft, lines, as } = caller;
      await story.bill('gate');
      await story.rate(2);
      const record = await story.work(
        guardHere,
        await story.shift('gate', 3, '06:00-18:00'),
        '06:00-18:00',
      );
      const [waived] = await as(finance, 'select waive_time(array[$1::uuid], $2) as minutes', [
        record,
        'Training of ours',
      ]);
      expect(waived).toEqual({ minutes: 720 });
      expect(await draft(1, 31)).toEqual([]);
      expect(
        await as(finance, `select from unbilled_time('2025-03-01', '2025-03-31', $1)`, [
          story.client,
        ]),
      ).toEqual([]);
      await as(finance, 'select unwaive_time(array[$1::uuid])', [record]);
      await draft(1, 31);
      expect(await lines()).toEqual(['regular 12 24.00']);
      const [again] = await as(finance, 'select waive_time(array[$1::uuid], $2) as minutes', [
        record,
        'Too late',
      ]);
      expect(again).toEqual({ minutes: 0 });
    }));
});
