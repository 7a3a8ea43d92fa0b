// The screen of unbilled hours shows what a computation from every hour finds, whether the hours are summed or not.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { billingStory, type Caller, dateOf } from '#tests/support/billing-story.ts';
import { finance, guardElsewhere, guardHere } from '#tests/support/people.ts';
import { picker } from '#tests/support/picker.ts';
import { LENIENT_RULES } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(LENIENT_RULES);
});

const DAYS = [dateOf(1), dateOf(61)];

const story = (work: (caller: Caller) => Promise<void>) => billingStory(database.owner, work);

const check = ({ owner }: Caller) => owner('select private.check_billed_timesheets()');

/** How many timesheets are summed, and how many of them have nothing left to bill. */
async function summed({ owner }: Caller) {
  const [row] = await owner(
    `select count(*)::integer as summed, count(*) filter (
       where not exists (select from private.unbilled_sums u where u.timesheet_id = t.id)
     )::integer as billed
     from timesheets t
     where t.period_start between $1 and $2
       and t.id not in (select * from private.timesheets_to_sum($1, $2))`,
    DAYS,
  );
  return row;
}

/** Whole months, parts of them, and days within one. */
const PERIODS = [DAYS, [dateOf(5), dateOf(61)], [dateOf(1), dateOf(45)], [dateOf(9), dateOf(17)]];

const FACTS = `concat_ws(' ', site_id, user_id, contract_id, reason, minutes, first_at, last_at, attendance_ids)`;

/** Unbilled hours as the screen shows them, and from the spans of every timesheet. */
async function hours({ owner, as, story }: Caller, periods = PERIODS) {
  const shown: string[] = [];
  const full: string[] = [];
  for (const period of periods) {
    const rows = await as(
      finance,
      `select ${FACTS} as fact from unbilled_hours($1, $2) where reason <> 'waived' order by 1`,
      period,
    );
    shown.push(...rows.map(({ fact }) => String(fact)), '');
    const found = await owner(
      `select ${FACTS} as fact from (
         select site_id, user_id, contract_id, reason, sum(minutes) as minutes, min(lower(span)) as first_at,
           max(upper(span)) as last_at, array_agg(distinct attendance_id) as attendance_ids
         from (
           select *, case when contract_id is null then 'no_contract' when not is_approved then 'not_approved'
             when basis = 'fixed' then 'month_not_billed' when rate is null then 'no_rate' else 'not_drafted' end as reason
           from private.open_spans(array(select id from sites), $1, $2)
         ) o
         group by site_id, user_id, contract_id, reason
       ) o order by 1`,
      period,
    );
    full.push(...found.map(({ fact }) => String(fact)), '');
    const of = await as(
      finance,
      `select concat_ws(' ', reason, minutes, guards) as fact from unbilled_totals($1, $2, $3) order by 1`,
      [...period, story.client],
    );
    shown.push(...of.map(({ fact }) => String(fact)), '');
    const totals = await as(
      finance,
      `select concat_ws(' ', reason, sum(minutes), count(distinct user_id)) as fact from unbilled_hours($1, $2, $3)
       group by reason order by 1`,
      [...period, story.client],
    );
    full.push(...totals.map(({ fact }) => String(fact)), '');
  }
  return { shown, full };
}

/** Unbilled spans of every timesheet, and of those that are read by the hour for a part of a month. */
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
    expect(await summed(caller)).toEqual({ summed: 0, billed: 0 });
    await check(caller);
    expect(await summed(caller)).toEqual({ summed: 4, billed: 0 });
    await draft(1, 61);
    await check(caller);
    expect(await summed(caller)).toEqual({ summed: 4, billed: 4 });
    expect((await spans(caller)).all).toEqual([]);

    const [invoice] = await as(finance, 'select id from invoices where client_id = $1', [
      story.client,
    ]);
    await issue(invoice?.id, dateOf(62));
    await as(finance, credited, [story.client]);
    await check(caller);
    expect(await summed(caller)).toEqual({ summed: 4, billed: 0 });
    const { all, read } = await spans(caller);
    expect(all.length).toBeGreaterThan(0);
    expect(read).toEqual(all);
  }));

test('sums stay while a timesheet is reopened, approved or locked, and are made again when its hours change', () =>
  story(async (caller) => {
    const { story, owner } = caller;
    await story.bill(undefined);
    await story.rate(2);
    await lockedWork(caller);
    await check(caller);
    await owner('alter table timesheets disable trigger y_locked');
    await owner(`update timesheets set status = 'open', locked_at = null where user_id = $1`, [
      guardHere.id,
    ]);
    await owner(`update timesheets set status = 'approved', locked_at = null where user_id = $1`, [
      guardElsewhere.id,
    ]);
    expect(await summed(caller)).toEqual({ summed: 4, billed: 0 });
    const { shown, full } = await hours(caller);
    expect(shown).toEqual(full);
    expect(shown.join()).toMatch(/not_approved.*not_drafted/);
    await owner(
      `delete from time_segments where id in (select id from time_segments where user_id = $1 order by starts_at limit 1)`,
      [guardHere.id],
    );
    expect((await summed(caller))?.summed).toBe(3);
    await check(caller);
    expect((await summed(caller))?.summed).toBe(4);
  }));

test('a month is that of the zone of the company', () =>
  story(async (caller) => {
    const { story, owner } = caller;
    await story.bill(undefined);
    await lockedWork(caller);
    await check(caller);
    await owner(`update private.settings set time_zone = 'Pacific/Kiritimati'`);
    expect((await summed(caller))?.summed).toBe(0);
    await check(caller);
    const { shown, full } = await hours(caller);
    expect(shown).toEqual(full);
  }));

test('more than a request can read by the hour is refused until it is summed', () =>
  story(async (caller) => {
    const { owner, as, refused } = caller;
    await lockedWork(caller);
    const limit = (most: number) =>
      owner(
        `create or replace function private.most_timesheets_by_hour() returns integer language sql immutable return ${most}`,
      );
    await limit(3);
    const read = (from: number): Parameters<Caller['as']> => [
      finance,
      'select unbilled_totals($1, $2)',
      [dateOf(from), dateOf(61)],
    ];
    expect(await refused(...read(1))).toBe(
      'Unbilled hours are being summed. Try again in a few minutes.',
    );
    await check(caller);
    await as(...read(1));
    await as(...read(2));
    await limit(1);
    expect(await refused(...read(2))).toBe(
      'These are too many hours to read by the day. Choose whole months or a client.',
    );
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
  ({ owner, story }) => owner('delete from rates where contract_id = $1', [story.contract]),
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
        const { shown, full } = await hours(caller, [PERIODS[pick(PERIODS.length)] ?? DAYS]);
        expect(shown, `after change ${turn}`).toEqual(full);
        seen.add(Number((await summed(caller))?.billed));
      }
      expect(seen.size).toBeGreaterThan(1);
    }),
);
