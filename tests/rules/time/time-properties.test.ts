// Whatever a guard's attendance: segments cover it exactly and once, the highest class wins, limits hold, and computing
// again changes nothing.
import fc from 'fast-check';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { guardHere } from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { type Hours, type Timesheets, withHours } from '#tests/support/timesheets.ts';

const RUNS = 30;

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(`${LENIENT_RULES}; delete from clock_events; delete from attendance;
    delete from assignments where user_id = '${guardHere.id}'; delete from timesheets`);
});

const clock = (minutes: number): string => {
  const of = ((minutes % 1440) + 1440) % 1440;
  return `${String(Math.floor(of / 60)).padStart(2, '0')}:${String(of % 60).padStart(2, '0')}`;
};

/** At most one shift starts on each day, and ends before the next day's can start. */
const shift = fc.record({
  start: fc.integer({ min: 0, max: 1439 }),
  length: fc.integer({ min: 30, max: 1080 }),
  early: fc.integer({ min: -120, max: 240 }),
  late: fc.integer({ min: -120, max: 240 }),
  came: fc.constantFrom('both', 'both', 'both', 'both', 'in', 'none'),
  decision: fc.constantFrom('', '', 'stayed_on no', 'overtime no', 'early_arrival yes'),
});

const month: fc.Arbitrary<Hours> = fc
  .record({
    shifts: fc.array(fc.option(shift, { freq: 3 }), { minLength: 10, maxLength: 24 }),
    rules: fc.constantFrom(
      '',
      'break_paid = false',
      'overtime_2_after_minutes = 300, day_minutes = 480',
      `round_to_minutes = 15, night_start = '00:00'`,
      `week_minutes = 1000, rest_day_class = 'overtime_2'`,
    ),
    holiday: fc.integer({ min: 1, max: 28 }),
    leave: fc.integer({ min: 1, max: 28 }),
  })
  .map(({ shifts, rules, holiday, leave }) => {
    const lines: string[] = [];
    const decisions: string[] = [];
    let free = -Infinity;
    for (const [index, one] of shifts.entries()) {
      const day = index + 2;
      const from = day * 1440 + (one?.start ?? 0);
      if (one === null || from < free) continue;
      const length = Math.min(one.length, 1380);
      free = from + length;
      const went = Math.max(one.length + one.late, 1 - one.early);
      const attended =
        one.came === 'none'
          ? '-'
          : `${clock(from - one.early)}-${one.came === 'in' ? '' : clock(from + went)}`;
      lines.push(`${day} ${clock(from)}-${clock(from + length)} | ${attended}`);
      if (one.decision !== '' && one.came === 'both') decisions.push(`${day} ${one.decision}`);
      // Nobody clocks in before they have clocked out.
      if (one.came === 'in') break;
    }
    return {
      shifts: lines,
      decisions,
      leave: [`annual ${leave}-${leave + 1}`],
      holidays: [`${holiday} Test`],
      ...(rules && { rules }),
    };
  });

async function rows(sheets: Timesheets, sql: string): Promise<unknown[]> {
  return (await sheets.client.query(sql, [sheets.person])).rows;
}

/** Minutes of attendance, each counted once, that no segment covers, or that a segment has and no attendance. */
const UNEVEN = `with attended as (
    select range_agg(tstzrange(date_trunc('minute', clock_in_at), date_trunc('minute', clock_out_at))) as times
    from attendance where user_id = $1 and clock_out_at is not null
  ), counted as (
    select range_agg(tstzrange(starts_at, ends_at)) as times from time_segments where user_id = $1 and attendance_id is not null
  )
  select p from attended a, counted c, unnest((coalesce(a.times, '{}') - coalesce(c.times, '{}')) + (coalesce(c.times, '{}') - coalesce(a.times, '{}'))) p`;

const ALL = `select (select jsonb_agg(t order by t.id) from timesheets t where t.user_id = $1) as sheets,
  (select jsonb_agg(d order by d.id) from timesheet_days d where d.user_id = $1) as days,
  (select jsonb_agg(s order by s.id) from time_segments s where s.user_id = $1) as segments`;

/** Regular and night minutes of a day or of a week beyond the limits of the rules. */
const BEYOND = `select 'day' as what from time_segments s join time_rules r on r.id = s.time_rule_id
  where s.user_id = $1 and s.class in ('regular', 'night') group by s.day, r.day_minutes having sum(s.minutes) > r.day_minutes
  union all
  select 'week' from time_segments s join time_rules r on r.id = s.time_rule_id
  where s.user_id = $1 and s.class in ('regular', 'night') group by date_trunc('week', s.day), r.week_minutes
  having sum(s.minutes) > r.week_minutes
  union all
  select 'holiday' from time_segments s join public_holidays h on h.day = s.day
  where s.user_id = $1 and s.class not in ('holiday', 'unpaid', 'leave_paid', 'leave_unpaid')
  union all
  select 'sums' from timesheets t where t.user_id = $1 and t.regular_minutes + t.overtime_1_minutes + t.overtime_2_minutes
    + t.night_minutes + t.holiday_minutes + t.leave_paid_minutes + t.credited_minutes
    <> (select sum(d.paid_minutes) from timesheet_days d where d.timesheet_id = t.id)
  union all
  select 'minutes' from time_segments s where s.user_id = $1 and extract(second from s.starts_at) + extract(second from s.ends_at) <> 0`;

test('segments cover attendance exactly, keep to the limits, and are the same however often they are computed', async () => {
  await fc.assert(
    fc.asyncProperty(month, (hours) =>
      withHours(database.owner, scene.sites.here, hours, async (sheets) => {
        expect(await rows(sheets, UNEVEN)).toEqual([]);
        expect(await rows(sheets, BEYOND)).toEqual([]);
        const before = await rows(sheets, ALL);
        await sheets.client.query(`select compute_timesheets('2025-03-01', '2025-04-30')`);
        await sheets.client.query('select private.compute_time(array[$1]::uuid[], $2, $3)', [
          sheets.person,
          '2025-03-12',
          '2025-03-12',
        ]);
        expect(await rows(sheets, ALL)).toEqual(before);
      }),
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 120_000);
