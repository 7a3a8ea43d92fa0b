// When a contract is due, for which days, and why it is not.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { billingStory, type Caller } from '#tests/support/billing-story.ts';
import { draftDue, issueAll, terms } from '#tests/support/due-invoices.ts';
import { finance, guardHere, opsManager } from '#tests/support/people.ts';
import { LENIENT_RULES } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(LENIENT_RULES);
});

const story = (work: (caller: Caller) => Promise<void>) => billingStory(database.owner, work);

/** `state first last due` of each contract of the client on a day. */
async function dueOn({ as, story }: Caller, day: string): Promise<string[]> {
  const rows = await as(
    finance,
    `select concat_ws(' ', state, period_start, period_end, due_on) as due from billing_due($1, $2)`,
    [day, story.client],
  );
  return rows.map(({ due }) => String(due));
}

async function reasonOn({ as, story }: Caller, day: string) {
  const rows = await as(finance, 'select reason from billing_due($1, $2)', [day, story.client]);
  return rows.map(({ reason }) => reason);
}

describe('a contract is due', () => {
  test.each([
    ['monthly', 1, '2025-01-01', null, '2025-04-01', 'due 2025-03-01 2025-03-31 2025-04-01'],
    ['monthly', 25, '2025-01-01', null, '2025-04-24', 'due 2025-02-01 2025-02-28 2025-03-25'],
    ['monthly', 25, '2025-01-01', null, '2025-04-25', 'due 2025-03-01 2025-03-31 2025-04-25'],
    ['monthly', 1, '2025-03-17', null, '2025-04-02', 'due 2025-03-17 2025-03-31 2025-04-01'],
    [
      'monthly',
      5,
      '2025-01-01',
      '2025-03-10',
      '2025-04-05',
      'due 2025-03-01 2025-03-10 2025-04-05',
    ],
    ['quarterly', 1, '2024-11-15', null, '2025-03-31', 'due 2024-11-15 2024-12-31 2025-01-01'],
    ['quarterly', 1, '2024-11-15', null, '2025-04-01', 'due 2025-01-01 2025-03-31 2025-04-01'],
    [
      'quarterly',
      10,
      '2025-02-03',
      '2025-05-31',
      '2025-06-10',
      'due 2025-04-01 2025-05-31 2025-06-10',
    ],
    ['annually', 1, '2025-03-01', null, '2025-12-31', 'later 2025-03-01 2025-12-31 2026-01-01'],
    ['annually', 1, '2025-03-01', null, '2026-01-01', 'due 2025-03-01 2025-12-31 2026-01-01'],
    [
      'annually',
      15,
      '2023-06-01',
      '2025-03-31',
      '2025-04-15',
      'due 2025-01-01 2025-03-31 2025-04-15',
    ],
    ['on-demand', 1, '2025-01-01', null, '2025-04-01', 'on_demand 2025-01-01 2025-03-31'],
    ['monthly', 1, '2025-06-01', null, '2025-04-01', 'later 2025-06-01 2025-06-30 2025-07-01'],
  ])('%s on day %i, %s to %s: on %s %s', (cycle, day, from, to, on, expected) =>
    story(async (caller) => {
      await terms(caller, { cycle, day, from, to });
      await caller.story.bill('gate', { basis: 'fixed', monthly_amount: 100, starts_on: from });
      // Earlier periods, which nobody drafted, are due as well.
      const due = await dueOn(caller, on);
      expect(due.at(-1)).toBe(expected);
      expect(due.slice(0, -1).every((row) => row.startsWith('due '))).toBe(true);
    }),
  );

  test('and if it is not, a sentence says why', () =>
    story(async (caller) => {
      const reasons: unknown[] = [];
      await caller.story.bill('gate', { basis: 'fixed', monthly_amount: 100 });
      for (const [cycle, on] of [
        ['quarterly', '2025-02-10'],
        ['on-demand', '2025-02-10'],
        ['monthly', '2025-02-10'],
      ] as const) {
        await terms(caller, { cycle });
        reasons.push(...(await reasonOn(caller, on)));
      }
      await draftDue(caller, '2025-02-10');
      reasons.push(...(await reasonOn(caller, '2025-02-10')));
      await issueAll(caller);
      reasons.push(...(await reasonOn(caller, '2025-02-10')));
      expect(reasons).toEqual([
        'Quarterly: next due Apr 1, 2025, for Jan 1 to Mar 31, 2025.',
        'On demand: choose it yourself, from Jan 1, 2025.',
        'Monthly: January 2025, due Feb 1, 2025.',
        'Monthly: January 2025, due Feb 1, 2025, is drafted and not issued.',
        'January 2025 is invoiced. Monthly: next due Mar 1, 2025, for February 2025.',
      ]);
    }));
});

test('the hours after midnight of the last night of a month are due with the next one, although nothing else is', () =>
  story(async (caller) => {
    const { story } = caller;
    await story.bill('gate');
    await story.rate(2);
    await story.work(guardHere, await story.shift('gate', 31, '18:00-06:00'), '18:00-06:00');
    expect(await draftDue(caller, '2025-04-01')).toEqual(['2025-03-01 2025-03-31 12.00']);
    await issueAll(caller);
    expect(await draftDue(caller, '2025-05-01')).toEqual(['2025-04-01 2025-04-30 12.00']);
    await issueAll(caller);
    expect(await draftDue(caller, '2025-06-01')).toEqual([]);
    expect(await reasonOn(caller, '2025-06-01')).toEqual([
      'Nothing was planned or agreed in May 2025. Monthly: next due Jul 1, 2025, for June 2025.',
    ]);
  }));

test('they make no contract due that bills another post', () =>
  story(async (caller) => {
    const { story } = caller;
    await story.bill('gate');
    await story.rate(2);
    await story.work(guardHere, await story.shift('yard', 31, '18:00-06:00'), '18:00-06:00');
    expect(await reasonOn(caller, '2025-05-01')).toEqual([
      'Nothing was planned or agreed in April 2025. Monthly: next due Jun 1, 2025, for May 2025.',
    ]);
  }));

test('contracts left out of chosen days are named with the reason', () =>
  story(async (caller) => {
    const { story, as } = caller;
    await terms(caller, { cycle: 'on-demand' });
    await story.bill('gate', { basis: 'fixed', monthly_amount: 310 });
    const drafted = await as(
      finance,
      `select invoice_id, contract_id, problems from draft_invoices('2025-02-01', '2025-02-28', $1)`,
      [story.client],
    );
    const text = expect.stringMatching(/^On demand: choose it yourself/);
    expect(drafted).toEqual([
      { invoice_id: null, contract_id: story.contract, problems: [{ code: 'not_due', text }] },
    ]);
  }));

test('a quarter is one invoice with its months, and no month of it is drafted with the monthly ones', () =>
  story(async (caller) => {
    const { story, as, lines } = caller;
    await terms(caller, { cycle: 'quarterly', from: '2025-01-17' });
    await story.bill('gate', { basis: 'fixed', monthly_amount: 310, starts_on: '2025-01-17' });
    const drafted = await as(
      finance,
      `select invoice_id, problems from draft_invoices('2025-02-01', '2025-02-28', $1)`,
      [story.client],
    );
    // Today, years later, it is due.
    expect(drafted).toEqual([]);
    expect(await lines()).toEqual([]);
    await as(finance, `select draft_invoices('2025-03-01', '2025-03-31', $1)`, [story.client]);
    expect(await lines()).toEqual(['fixed 0.4839 150.00', 'fixed 1 310.00', 'fixed 1 310.00']);
    expect(await draftDue(caller, '2025-04-01')).toEqual(['2025-01-17 2025-03-31 770.00']);
  }));

test('two contracts of a client are each due in their own cycle', () =>
  story(async (caller) => {
    const { story } = caller;
    await terms(caller, { cycle: 'quarterly' });
    await story.bill('gate', { basis: 'fixed', monthly_amount: 100 });
    const yard = await story.insert('contracts', {
      client_id: story.client,
      title: 'Yard',
      starts_on: '2025-01-01',
    });
    await story.bill('yard', { contract_id: yard, basis: 'fixed', monthly_amount: 10 });
    const months = ['2025-01-01 2025-01-31 10.00', '2025-02-01 2025-02-28 10.00'];
    expect(await draftDue(caller, '2025-03-01')).toEqual(months);
    await issueAll(caller);
    expect(await draftDue(caller, '2025-04-01')).toEqual([
      '2025-01-01 2025-03-31 300.00',
      '2025-03-01 2025-03-31 10.00',
    ]);
  }));

test('a named contract is billed for the days that are chosen, whatever its cycle', () =>
  story(async (caller) => {
    const { story, as, lines } = caller;
    await terms(caller, { cycle: 'on-demand' });
    await story.bill('gate', { basis: 'fixed', monthly_amount: 310 });
    const draft = (contract: string | null) =>
      as(finance, `select draft_invoices('2025-03-01', '2025-03-31', null, $1)`, [contract]);
    await draft(null);
    expect(await lines()).toEqual([]);
    await draft(story.contract);
    expect(await lines()).toEqual(['fixed 1 310.00']);
  }));

describe('a period', () => {
  test('that is invoiced in part is due for the days that are left, and one that is credited is due again', () =>
    story(async (caller) => {
      const { story, as, owner } = caller;
      await story.bill('gate');
      await story.rate(2);
      for (const day of [3, 20]) {
        await story.work(guardHere, await story.shift('gate', day, '06:00-18:00'), '06:00-18:00');
      }
      await as(finance, `select draft_invoices('2025-03-01', '2025-03-15', $1)`, [story.client]);
      await issueAll(caller);
      expect(await draftDue(caller, '2025-04-01')).toEqual(['2025-03-16 2025-03-31 24.00']);
      await issueAll(caller);
      expect(await dueOn(caller, '2025-04-01')).toEqual(['later 2025-04-01 2025-04-30 2025-05-01']);
      const [first] = await owner(
        `select id from invoices where client_id = $1 order by period_start limit 1`,
        [story.client],
      );
      await as(finance, `select credit_invoice($1, 'Wrong days')`, [first?.id]);
      expect(await draftDue(caller, '2025-04-01')).toEqual(['2025-03-01 2025-03-15 24.00']);
    }));

  test('that was monthly is what is left of the quarter once the cycle changes, and the other way round', () =>
    story(async (caller) => {
      const { story } = caller;
      await story.bill('gate', { basis: 'fixed', monthly_amount: 100 });
      await draftDue(caller, '2025-02-01');
      await issueAll(caller);
      await terms(caller, { cycle: 'quarterly' });
      expect(await draftDue(caller, '2025-03-01')).toEqual([]);
      expect(await draftDue(caller, '2025-04-01')).toEqual(['2025-02-01 2025-03-31 200.00']);
      await issueAll(caller);
      await terms(caller, { cycle: 'monthly' });
      expect(await draftDue(caller, '2025-06-02')).toEqual([
        '2025-04-01 2025-04-30 100.00',
        '2025-05-01 2025-05-31 100.00',
      ]);
    }));

  test('that is not due leaves its hours out of what was forgotten', () =>
    story(async (caller) => {
      const { story, as } = caller;
      await story.bill('gate');
      await story.rate(2);
      await story.work(guardHere, await story.shift('gate', 3, '06:00-18:00'), '06:00-18:00');
      const reasons: unknown[] = [];
      for (const cycle of ['monthly', 'on-demand']) {
        await terms(caller, { cycle });
        const rows = await as(
          finance,
          `select reason from unbilled_hours('2025-03-01', '2025-03-31', $1)`,
          [story.client],
        );
        reasons.push(...rows.map(({ reason }) => reason));
      }
      expect(reasons).toEqual(['not_drafted', 'on_demand']);
      const [due] = await caller.owner(
        `select private.is_billing_due('monthly', 25, null, '2025-03-01', '2025-04-24') as day_before,
           private.is_billing_due('monthly', 25, null, '2025-03-01', '2025-04-25') as on_day,
           private.is_billing_due('quarterly', 1, null, '2025-01-01', '2025-03-31') as in_quarter,
           private.is_billing_due('quarterly', 1, '2025-02-10', '2025-01-01', '2025-03-01') as of_ended,
           private.is_billing_due('annually', 1, null, '2025-01-01', '2026-01-01') as of_year`,
      );
      expect(due).toEqual({
        day_before: false,
        on_day: true,
        in_quarter: false,
        of_ended: true,
        of_year: true,
      });
    }));
});

test('only admins and finance see and draft what is due', () =>
  story(async ({ refused }) => {
    for (const sql of ['select billing_due()', 'select draft_due_invoices()']) {
      for (const person of [opsManager, guardHere]) {
        expect(await refused(person, sql)).toBe('Only admins and finance may do this.');
      }
    }
  }));
