// Nothing is billed above the headcount that a post requires at any minute. Days count from March 1, 2025.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { billingStory, type Caller } from '#tests/support/billing-story.ts';
import { bystander, finance, guardElsewhere, guardHere } from '#tests/support/people.ts';
import { LENIENT_RULES } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(LENIENT_RULES);
});

const story = (work: (caller: Caller) => Promise<void>) =>
  billingStory(database.owner, async (caller) => {
    await caller.story.rate(6);
    await work(caller);
  });

/** `minutes` of each guard on drafts and invoices. */
async function billed({ owner, story }: Caller) {
  const rows = await owner(
    `select user_id, sum(minutes)::integer as minutes from billed_time
     where site_id = $1 and invoice_line_id is not null and freed_at is null group by user_id`,
    [story.site],
  );
  return Object.fromEntries(rows.map(({ user_id, minutes }) => [user_id, minutes]));
}

/** A day shift, whose guard goes 13 minutes late, and a night shift, whose guard comes 11 minutes early. */
async function handover({ story }: Caller, status?: string) {
  const day = await story.shift('gate', 3, '06:00-18:00');
  const night = await story.shift('gate', 3, '18:00-23:00');
  await story.work(guardHere, day, '06:00-18:13');
  await story.work(bystander, night, '17:49-23:00', status === undefined ? {} : { status });
}

test('at a handover the minutes of the guard whose shift runs are billed, and the others are listed apart', () =>
  story(async (caller) => {
    const { story, draft, lines, as } = caller;
    await story.bill('gate');
    await handover(caller);
    const [drawn] = await draft(1, 31);
    expect(await lines()).toEqual(['regular 17 102.00']);
    expect(drawn?.problems).toEqual([]);
    expect(await billed(caller)).toEqual({ [guardHere.id]: 720, [bystander.id]: 300 });
    const open = await as(
      finance,
      `select reason, minutes, note from unbilled_hours('2025-03-01', '2025-03-31', $1) order by minutes`,
      [story.client],
    );
    const note = 'Above the agreed headcount';
    expect(open).toEqual([
      { reason: 'above_headcount', minutes: 11, note },
      { reason: 'above_headcount', minutes: 13, note },
    ]);
    expect(
      await as(
        finance,
        `select reason, minutes from unbilled_totals('2025-03-01', '2025-03-31', $1)`,
        [story.client],
      ),
    ).toEqual([{ reason: 'above_headcount', minutes: '24' }]);
    // It can't be billed again by hand.
    await as(
      finance,
      `select unwaive_time(array(select attendance_id from billed_time where is_surplus))`,
    );
    await draft(1, 31);
    expect(await lines()).toEqual(['regular 17 102.00']);
  }));

test('a guard who stays because the next one is late is billed until then', () =>
  story(async (caller) => {
    const { story, draft } = caller;
    await story.bill('gate');
    const day = await story.shift('gate', 3, '06:00-18:00');
    const night = await story.shift('gate', 3, '18:00-23:00');
    await story.work(guardHere, day, '06:00-18:13');
    await story.work(bystander, night, '18:10-23:00');
    await draft(1, 31);
    expect(await billed(caller)).toEqual({ [guardHere.id]: 730, [bystander.id]: 290 });
  }));

test('the headcount is that of all shifts of the post at that minute; other posts are apart', () =>
  story(async (caller) => {
    const { story, draft } = caller;
    await story.bill(undefined);
    const two = await story.shift('gate', 3, '06:00-18:00', 2);
    await story.work(guardHere, two, '06:00-18:00');
    await story.work(bystander, two, '06:00-18:00');
    await story.work(guardElsewhere, await story.shift('yard', 3, '06:00-18:00'), '06:00-18:00');
    await draft(1, 31);
    expect(await billed(caller)).toEqual({
      [guardHere.id]: 720,
      [bystander.id]: 720,
      [guardElsewhere.id]: 720,
    });
    await story.query('update shifts set required_headcount = 1 where id = $1', [two]);
    await draft(1, 31);
    const minutes = Object.values(await billed(caller));
    expect(minutes).toEqual([720, 720]);
  }));

test('staying on after the last shift is billed as before', () =>
  story(async (caller) => {
    const { story, draft } = caller;
    await story.bill('gate');
    await story.work(guardHere, await story.shift('gate', 3, '06:00-18:00'), '06:00-19:00');
    await draft(1, 31);
    expect(await billed(caller)).toEqual({ [guardHere.id]: 780 });
  }));

test('hours on issued invoices count, and credited ones go to the guards who are left', () =>
  story(async (caller) => {
    const { story, draft, issue, as, owner } = caller;
    await story.bill('gate');
    await handover(caller, 'open');
    const [first] = await draft(1, 31);
    expect(await billed(caller)).toEqual({ [guardHere.id]: 720 });
    await issue(first?.invoice_id);
    await owner(`update timesheets set status = 'approved' where user_id = $1`, [bystander.id]);
    const [second] = await draft(1, 31);
    expect(await billed(caller)).toEqual({ [guardHere.id]: 720, [bystander.id]: 300 });
    await as(finance, `select credit_invoice($1, 'Guard not there')`, [first?.invoice_id]);
    await owner('delete from time_segments where user_id = $1 and site_id = $2', [
      guardHere.id,
      story.site,
    ]);
    await draft(1, 31);
    expect(await billed(caller)).toEqual({ [bystander.id]: 311 });
    expect(second?.invoice_id).toBeTruthy();
  }));

test('time above the headcount fills no minimum up', () =>
  story(async (caller) => {
    const { story, draft, lines } = caller;
    await story.bill('gate', { basis: 'minimum', minimum_hours: 18 });
    await handover(caller);
    await draft(1, 31);
    expect(await lines()).toEqual(['regular 17 102.00', 'minimum 1 6.00']);
  }));
