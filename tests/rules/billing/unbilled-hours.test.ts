// What the screen of unbilled hours lists, and the clock events behind a monthly amount. Days count from March 1, 2025.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { billingStory, type Caller, dateOf, dayShifts } from '#tests/support/billing-story.ts';
import { finance, guardElsewhere, guardHere, opsManager } from '#tests/support/people.ts';
import { LENIENT_RULES } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(LENIENT_RULES);
});

const story = (work: (caller: Caller) => Promise<void>) => billingStory(database.owner, work);

/** `reason: minutes (records)` of each row of the client, in March. */
async function unbilled({ as, story }: Caller): Promise<string[]> {
  const rows = await as(
    finance,
    `select concat(reason, ': ', minutes, ' (', cardinality(attendance_ids), ')') as text
     from unbilled_hours($1, $2, $3) order by reason, minutes`,
    [dateOf(1), dateOf(31), story.client],
  );
  return rows.map(({ text }) => String(text));
}

test('hours are grouped by guard and reason, waived ones apart, and billed ones are gone', () =>
  story(async (caller) => {
    const { story, draft, as } = caller;
    await story.bill('gate');
    await story.rate(2);
    await dayShifts(caller, [3, 4]);
    const gift = await story.work(
      guardElsewhere,
      await story.shift('gate', 5, '06:00-18:00'),
      '06:00-17:00',
    );
    const yard = await story.shift('yard', 6, '06:00-18:00');
    await story.work(guardHere, yard, '06:00-18:00', { status: 'open' });
    expect(await unbilled(caller)).toEqual([
      'no_contract: 720 (1)',
      'not_drafted: 660 (1)',
      'not_drafted: 1440 (2)',
    ]);

    await as(finance, `select waive_time(array[$1::uuid], 'A favour')`, [gift]);
    expect(await unbilled(caller)).toEqual([
      'no_contract: 720 (1)',
      'not_drafted: 1440 (2)',
      'waived: 660 (1)',
    ]);
    expect(
      await as(
        finance,
        'select reason, minutes::integer as minutes, guards::integer as guards from unbilled_totals($1, $2, $3)',
        [dateOf(1), dateOf(31), story.client],
      ),
    ).toEqual([
      { reason: 'no_contract', minutes: 720, guards: 1 },
      { reason: 'not_drafted', minutes: 1440, guards: 1 },
      { reason: 'waived', minutes: 660, guards: 1 },
    ]);

    await as(finance, 'select unwaive_time(array[$1::uuid])', [gift]);
    await draft(1, 31);
    expect(await unbilled(caller)).toEqual(['no_contract: 720 (1)']);
  }));

test('a monthly amount opens to what was worked at its post in its month, by record', () =>
  story(async (caller) => {
    const { story, draft, as } = caller;
    await story.bill('gate', { basis: 'fixed', monthly_amount: 1000 });
    await story.bill(undefined, { basis: 'fixed', monthly_amount: 300 });
    await dayShifts(caller, [3]);
    // Over midnight of the month: the hours of April belong to April's amount.
    await story.work(guardHere, await story.shift('gate', 31, '18:00-06:00'), '18:00-06:00');
    await story.work(guardElsewhere, await story.shift('yard', 4, '06:00-18:00'), '06:00-18:00');
    await draft(1, 31);
    const hours = await as(
      finance,
      `select concat_ws(' ', l.amount, to_char(h.starts_at, 'DD HH24:MI'), h.minutes) as text
       from invoice_lines l join invoices i on i.id = l.invoice_id, hours_of_line(l.id) h
       where i.client_id = $1 order by l.amount desc, h.starts_at`,
      [story.client],
    );
    expect(hours.map(({ text }) => text)).toEqual([
      '1000.00 03 06:00 720',
      '1000.00 31 18:00 360',
      '300.00 04 06:00 720',
    ]);
  }));

test('others see neither', () =>
  story(async ({ refused }) => {
    for (const sql of [
      `select unbilled_hours('2025-03-01', '2025-03-31')`,
      `select unbilled_totals('2025-03-01', '2025-03-31')`,
    ]) {
      expect(await refused(opsManager, sql)).toBe('Only admins and finance may do this.');
    }
  }));
