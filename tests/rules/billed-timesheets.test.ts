// The timesheets that the screen of unbilled hours leaves out never have a minute left to bill.
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { billingStory, type Caller, dateOf } from '#tests/support/billing-story.ts';
import { finance, guardElsewhere, guardHere } from '#tests/support/people.ts';
import { picker } from '#tests/support/picker.ts';
import { buildScene, LENIENT_RULES } from '#tests/support/scene.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
  await buildScene(database.owner);
  await database.owner.query(LENIENT_RULES);
});

const DAYS = [dateOf(1), dateOf(61)];

const story = (work: (caller: Caller) => Promise<void>) => billingStory(database.owner, work);

const check = ({ owner }: Caller) => owner('select private.check_billed_timesheets()');

/** How many of the approved and locked timesheets are left out. */
async function leftOut({ owner }: Caller): Promise<number> {
  const [row] = await owner(
    `select count(*)::integer as n from private.billed_timesheets
     where is_billed and first_day between $1 and $2`,
    DAYS,
  );
  return Number(row?.n);
}

/** Unbilled spans of every timesheet, and of those that the screen reads. */
async function spans({ owner }: Caller) {
  const read = async (timesheets: string) =>
    (
      await owner(
        `select concat_ws(' ', user_id, site_id, post_id, contract_id, day, span, kind, is_approved, rate) as span
         from private.open_spans(array(select id from sites), $1, $2, ${timesheets}) order by 1`,
        DAYS,
      )
    ).map(({ span }) => String(span));
  return {
    all: await read('null'),
    read: await read('private.timesheets_to_bill($1, $2)'),
  };
}

/** Shifts of two guards at two posts in March and April, by day and by night, in locked timesheets. */
async function lockedWork({ story, owner }: Caller) {
  for (const day of [3, 9, 17, 31, 34, 45]) {
    await story.work(guardHere, await story.shift('gate', day, '06:00-18:00'), '06:00-18:00');
    await story.work(guardElsewhere, await story.shift('yard', day, '18:00-06:00'), '18:00-06:00');
  }
  await owner(`update timesheets set status = 'locked', locked_at = now()`);
}

/** The same, and one guard's timesheets are only approved: their hours still change. */
async function workOfBoth(caller: Caller) {
  await lockedWork(caller);
  await caller.owner('alter table timesheets disable trigger y_locked');
  await caller.owner(
    `update timesheets set status = 'approved', locked_at = null where user_id = $1`,
    [guardElsewhere.id],
  );
  await caller.owner('alter table timesheets enable trigger y_locked');
}

const credited = `select credit_invoice(i.id, 'Wrong') from invoices i
  where i.client_id = $1 and i.status = 'issued' and exists (
    select from invoice_lines l where l.invoice_id = i.id and l.credited_at is null)`;

test('a timesheet is left out once all of it is billed, and read again after a credit note', () =>
  story(async (caller) => {
    const { story, draft, issue, as } = caller;
    await story.bill('gate');
    await story.bill('yard', { basis: 'fixed', monthly_amount: 900 });
    await story.rate(2);
    await lockedWork(caller);
    await check(caller);
    expect(await leftOut(caller)).toBe(0);

    await draft(1, 61);
    await check(caller);
    expect(await leftOut(caller)).toBe(4);
    expect((await spans(caller)).all).toEqual([]);

    const [invoice] = await as(finance, 'select id from invoices where client_id = $1', [
      story.client,
    ]);
    await issue(invoice?.id, dateOf(62));
    await as(finance, credited, [story.client]);
    expect(await leftOut(caller)).toBe(0);
    await check(caller);
    const { all, read } = await spans(caller);
    expect(all.length).toBeGreaterThan(0);
    expect(read).toEqual(all);
  }));

test('timesheets that a voided run opens are left out until they are reopened or change', () =>
  story(async (caller) => {
    const { story, draft, owner } = caller;
    await story.bill(undefined);
    await story.rate(2);
    await lockedWork(caller);
    await draft(1, 61);
    await check(caller);
    expect(await leftOut(caller)).toBe(4);
    await owner('alter table timesheets disable trigger y_locked');
    await owner(`update timesheets set status = 'approved'`);
    expect(await leftOut(caller)).toBe(4);
    await owner(
      `delete from time_segments where id in (select id from time_segments where user_id = $1 order by starts_at limit 1)`,
      [guardHere.id],
    );
    expect(await leftOut(caller)).toBe(3);
    await owner(`update timesheets set computed_at = now() + interval '1 minute'`);
    expect(await leftOut(caller)).toBe(0);
    await check(caller);
    expect(await leftOut(caller)).toBe(4);
    await owner(`update timesheets set status = 'open' where user_id = $1`, [guardHere.id]);
    expect(await leftOut(caller)).toBe(2);
  }));

test('a timesheet that borders on the days is read only if the zone has changed since', () =>
  story(async (caller) => {
    const { owner } = caller;
    await lockedWork(caller);
    const read = async () => {
      const [row] = await owner(
        'select cardinality(private.timesheets_to_bill($1, $2)) as n',
        // April: the timesheets of March border on it.
        [dateOf(32), dateOf(61)],
      );
      return Number(row?.n);
    };
    expect(await read()).toBe(4);
    await owner(`update private.settings set time_zone_since = '2025-01-01'`);
    expect(await read()).toBe(2);
    await owner(`update private.settings set time_zone = 'Pacific/Kiritimati'`);
    expect(await read()).toBe(4);
  }));

/** What changes what is billed. Some of it is refused, for example a change of a billed post. */
const CHANGES: ((caller: Caller, pick: (count: number) => number) => Promise<unknown>)[] = [
  ({ draft }) => draft(1, 31),
  ({ draft }) => draft(1, 61),
  ({ draft }) => draft(32, 61),
  async ({ owner, issue, story }) => {
    const [row] = await owner(`select id from invoices where client_id = $1 and status = 'draft'`, [
      story.client,
    ]);
    if (row) await issue(row.id);
  },
  ({ as, story }) => as(finance, credited, [story.client]),
  ({ as }, pick) =>
    as(
      finance,
      `select waive_time(array(select distinct attendance_id from time_segments order by 1 offset $1 limit $2), 'A favour')`,
      pick(2) ? [0, 100] : [pick(10), 3],
    ),
  ({ as }) =>
    as(finance, 'select unwaive_time(array(select distinct attendance_id from time_segments))'),
  ({ story }, pick) =>
    story.bill(pick(2) ? 'yard' : undefined, { basis: 'fixed', monthly_amount: 900 }),
  ({ story }) => story.bill('gate'),
  ({ owner, story }, pick) =>
    owner('update contract_posts set ends_on = $2 where contract_id = $1', [
      story.contract,
      [null, dateOf(20), dateOf(40)][pick(3)],
    ]),
  ({ owner, story }) =>
    owner('delete from contract_posts where contract_id = $1', [story.contract]),
  ({ owner, story }, pick) =>
    owner(
      `update shifts set post_id = $2 where id in (
         select id from shifts where site_id = $1 order by start_time, id offset $3 limit 2)`,
      [story.site, [null, story.posts.gate, story.posts.yard][pick(3)], pick(12)],
    ),
  ({ story }, pick) => story.rate(2 + pick(2), { effective_from: dateOf(1 + pick(50)) }),
  ({ owner }, pick) =>
    owner('update timesheets set status = $2 where user_id = $1 and period_start = $3', [
      guardElsewhere.id,
      ['open', 'submitted', 'approved', 'locked'][pick(4)],
      dateOf([1, 32][pick(2)] ?? 1),
    ]),
  ({ owner }, pick) =>
    owner(
      `delete from time_segments where id in (
         select id from time_segments where user_id = $1 order by starts_at offset $2 limit 1)`,
      [guardElsewhere.id, pick(12)],
    ),
  ({ owner }, pick) =>
    owner(
      `update time_segments set ends_at = ends_at - interval '10 minutes' where id in (
         select id from time_segments where user_id = $1 order by starts_at offset $2 limit 1)`,
      [guardElsewhere.id, pick(12)],
    ),
  async ({ story }, pick) => {
    const day = [5, 12, 20, 36, 50][pick(5)] ?? 5;
    await story.work(guardElsewhere, await story.shift('gate', day, '10:00-16:00'), '10:00-16:00');
  },
];

test.for([1, 2, 3, 4, 5])(
  'after any changes the screen shows what a full computation finds: %i',
  (seed) =>
    story(async (caller) => {
      const pick = picker(seed * 7919);
      await workOfBoth(caller);
      await caller.story.rate(2);
      const seen = new Set<number>();
      for (let turn = 0; turn < 80; turn += 1) {
        const change = CHANGES[pick(CHANGES.length)] ?? check;
        await caller.attempt(() => change(caller, pick));
        if (pick(2)) await check(caller);
        const { all, read } = await spans(caller);
        expect(read, `after change ${turn}`).toEqual(all);
        seen.add(await leftOut(caller));
      }
      expect(seen.size).toBeGreaterThan(1);
    }),
);
