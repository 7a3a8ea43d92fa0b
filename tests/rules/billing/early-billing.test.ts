// Invoices drawn before their period is over: estimates, and the draft that settles them. Dates are around today, because
// "not over" is; times are fixed hours of other days, so the time of day does not matter.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { billingStory, type Caller, dateOf } from '#tests/support/billing-story.ts';
import { bystander, guardHere, newcomer } from '#tests/support/people.ts';
import { LENIENT_RULES } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(LENIENT_RULES);
});

/** Day 0 is today: worked and approved 5 days ago, worked 3 days ago, planned for the next days. */
const story = (work: (caller: Caller, today: number) => Promise<void>) =>
  billingStory(database.owner, async (caller) => {
    const { story } = caller;
    const [now] = await story.query(
      `select private.company_date() - date '2025-03-01' + 1 as today`,
    );
    const today = Number(now?.today);
    await story.query(`delete from timesheets where user_id = any ($1)`, [
      [guardHere.id, bystander.id, newcomer.id],
    ]);
    await story.rate(2);
    await story.work(guardHere, await story.shift('gate', today - 5, '06:00-18:00'), '06:00-18:00');
    await story.work(
      bystander,
      await story.shift('gate', today - 3, '06:00-18:00'),
      '06:00-16:00',
      {
        status: 'open',
      },
    );
    for (const day of [today + 2, today + 3, today + 20]) {
      await story.insert('assignments', {
        shift_id: await story.shift('gate', day, '06:00-18:00'),
        user_id: newcomer.id,
        override_reason: 'Measured',
      });
    }
    await work(caller, today);
  });

/** What happens after the invoice: all hours are approved, one planned day was worked, the other was not. */
async function laterOn({ story }: Caller, today: number): Promise<void> {
  // First, because it computes the person's time.
  await story.query(
    'delete from assignments where user_id = $1 and shift_id in (select id from shifts where site_id = $2)',
    [newcomer.id, story.site],
  );
  const [shift] = await story.query(
    `select id from shifts where site_id = $1 and start_time::date = $2`,
    [story.site, dateOf(today + 2)],
  );
  await story.work(newcomer, String(shift?.id), '06:00-17:00');
  await story.query(`update timesheets set status = 'approved' where user_id = any ($1)`, [
    [bystander.id, newcomer.id],
  ]);
}

/** @returns the day of the story that begins the month of another */
function monthStartOf(day: number): number {
  let first = day;
  while (!dateOf(first).endsWith('-01')) first -= 1;
  return first;
}

/** @returns the day of the story that ends the month of another */
function monthEndOf(day: number): number {
  let last = day;
  while (!dateOf(last + 1).endsWith('-01')) last += 1;
  return last;
}

describe('an invoice before the end of its period', () => {
  test('estimates what is not approved and what is planned, and the next one settles that', () =>
    story(async (caller, today) => {
      const { story, draft, lines, issue } = caller;
      await story.bill('gate');
      const [early] = await draft(today - 10, today + 10);
      const total = (found: unknown[]) =>
        found.reduce((sum: number, line) => sum + Number(String(line).split(' ')[2]), 0);
      const first = await lines();
      expect(first[0]).toBe('regular 12 24.00');
      // 10 h and two shifts of 12 h, on one or two lines by month.
      expect(first.slice(1).every((line) => line.startsWith('estimate '))).toBe(true);
      expect(total(first)).toBe(92);
      await issue(early?.invoice_id);
      await laterOn(caller, today);
      const [next] = await draft(today + 11, today + 40);
      const second = await lines();
      expect(second.filter((line) => line.startsWith('regular'))).toHaveLength(
        new Set(second.filter((line) => line.startsWith('regular'))).size,
      );
      // 10 h + 11 h worked, less the estimate of 34 h.
      expect(total(second)).toBe(42 - 68);
      expect(Number(next?.total)).toBe(-26);
      // Nothing is settled twice.
      await story.query(`update invoices set period_end = period_start where status = 'draft'`);
      await draft(today + 20, today + 50);
      expect(total(await lines())).toBe(-26);
    }));

  test('is settled by the same draft, however often that is drawn', () =>
    story(async (caller, today) => {
      const { story, draft, lines, issue, owner } = caller;
      await story.bill('gate');
      const [early] = await draft(today - 10, today + 10);
      await issue(early?.invoice_id);
      await laterOn(caller, today);
      const [next] = await draft(today + 11, today + 40);
      const first = await lines();
      // The 10 h from before the early invoice are on it.
      await owner('select private.require_current_draft($1)', [next?.invoice_id]);
      await draft(today + 11, today + 40);
      expect(await lines()).toEqual(first);
    }));

  test('estimates nothing for a contract that has ended, and is issued', () =>
    story(async (caller, today) => {
      const { story, draft, lines, issue, owner } = caller;
      await story.bill('gate');
      await owner('update contracts set ends_on = $2 where id = $1', [
        story.contract,
        dateOf(today - 2),
      ]);
      const [last] = await draft(today - 10, today + 10);
      expect(await lines()).toEqual(['regular 12 24.00']);
      expect(last?.problems).toMatchObject([{ code: 'hours_not_approved', minutes: 600 }]);
      await issue(last?.invoice_id);
    }));

  test('can be drafted again with a new estimate, once the first is issued', () =>
    story(async (caller, today) => {
      const { story, draft, lines, issue } = caller;
      await story.bill('gate');
      const [early] = await draft(today - 10, today + 10);
      await issue(early?.invoice_id);
      await draft(today - 10, today + 10);
      const sum = (await lines()).reduce((all, line) => all + Number(line.split(' ')[2]), 0);
      expect(sum).toBe(0);
      expect(new Set((await lines()).map((line) => line.split(' ')[0]))).toEqual(
        new Set(['estimate', 'settlement']),
      );
    }));

  test('leaves days of an estimate that is not over to the draft that settles it', () =>
    story(async (caller, today) => {
      const { story, draft, lines, issue } = caller;
      await story.bill('gate');
      const [early] = await draft(today - 10, today + 10);
      await issue(early?.invoice_id);
      await laterOn(caller, today);
      // An estimate has a line for each month, and a draft to the end of the month would settle the first.
      await draft(today - 10, Math.min(today + 5, monthEndOf(today - 3) - 1));
      expect(await lines()).toEqual([]);
    }));

  test('bills a monthly amount whole, and credits gaps of the days after it in the next', () =>
    story(async (caller, today) => {
      const { story, draft, lines, issue, owner } = caller;
      await owner(`update contracts set gap_credit = 'hours' where id = $1`, [story.contract]);
      // 36 hours are required: 24 in the past, of which 22 were covered, and 12 in five days.
      await story.bill('gate', {
        basis: 'fixed',
        monthly_amount: 3100,
        starts_on: dateOf(today - 6),
        ends_on: dateOf(today + 1),
      });
      const [early] = await draft(today - 10, today + 1);
      const before = await lines();
      expect(before.at(-1)).toMatch(/^gap_credit -2 -/);
      // Days ago, before a day on which nobody came.
      await issue(early?.invoice_id, dateOf(today - 4));
      await story.shift('gate', today - 2, '06:00-18:00');
      await draft(today + 2, today + 40);
      expect((await lines()).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
        'gap_credit -12',
      ]);
    }));

  test('estimates each day at its own rate and tax', () =>
    story(async (caller, today) => {
      const { story, draft, owner } = caller;
      await story.bill('gate');
      // 10 h three days ago at 2.00, 12 h in two days at 2.50, and 12 h in three days with another tax.
      await story.rate(2.5, { effective_from: dateOf(today + 1) });
      await story.query(
        `insert into tax_rates (name, rate, effective_from) values ('VAT', 0.1, '2025-03-01'), ('VAT', 0.125, $1)`,
        [dateOf(today + 3)],
      );
      await story.query(`update contracts set tax_name = 'VAT' where id = $1`, [story.contract]);
      const [early] = await draft(today - 10, today + 10);
      const lines = await owner(
        `select quantity::float as hours, rate::float, tax_rate::float as tax, amount from invoice_lines
         where invoice_id = $1 and kind = 'estimate' order by rate, tax_rate`,
        [early?.invoice_id],
      );
      expect(lines).toEqual([
        { hours: 10, rate: 2, tax: 0.1, amount: '20.00' },
        { hours: 12, rate: 2.5, tax: 0.1, amount: '30.00' },
        { hours: 12, rate: 2.5, tax: 0.125, amount: '30.00' },
      ]);
    }));

  test('fills a minimum up at the rates of the days of its month', () =>
    story(async (caller, today) => {
      const { story, draft, owner } = caller;
      const first = monthStartOf(today);
      const last = monthEndOf(today);
      const change = first + 10;
      await story.bill('gate', { basis: 'minimum', minimum_hours: 744 });
      await story.rate(4, { effective_from: dateOf(change) });
      const [early] = await draft(first, last);
      const [sum] = await owner(
        `select sum(quantity)::float as hours, sum(quantity * rate)::float as worth,
           min(quantity) filter (where rate = 2)::float as before from invoice_lines
         where invoice_id = $1 and kind = 'estimate' and description like '%minimum%'`,
        [early?.invoice_id],
      );
      const before = Number(sum?.before);
      expect(before).toBeCloseTo((Number(sum?.hours) * 10) / (last - first + 1), 1);
      expect(Number(sum?.worth)).toBeCloseTo(before * 2 + (Number(sum?.hours) - before) * 4, 1);
    }));
});
