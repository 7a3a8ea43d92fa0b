import { TZDate } from '@date-fns/tz';
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { Random } from '#demo/random.ts';
import {
  bystander,
  guardElsewhere,
  guardHere,
  newcomer,
  opsManager,
  type SiteKey,
  supervisorElsewhere,
} from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, rolledBack } from '#tests/support/session.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A zone with a half-hour offset, so that a day boundary in the wrong zone shows. */
const ZONE = 'Asia/Kolkata';
const GUARDS = [guardHere, guardElsewhere, bystander, newcomer];

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query('delete from attendance; delete from assignments; delete from shifts');
  await database.owner.query(LENIENT_RULES);
  await database.owner.query('update private.settings set time_zone = $1', [ZONE]);
});

type Shift = { site: SiteKey; start: number; end: number; headcount: number };
type Duty = { shift: Shift; guard: string; isCancelled: boolean; in?: number; out?: number };

/** The company's midnight, `days` from today, in epoch milliseconds. */
function midnight(days: number): number {
  const now = TZDate.tz(ZONE);
  return new TZDate(now.getFullYear(), now.getMonth(), now.getDate() + days, ZONE).getTime();
}
const dayOf = (ms: number) => {
  const date = new TZDate(ms, ZONE);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
};

/** Shifts of the last two days at uneven minutes, many across midnight, with their guards. */
function makeRoster(random: Random): { shifts: Shift[]; duties: Duty[] } {
  const latest = Math.floor(Date.now() / MINUTE) * MINUTE;
  const shifts = Array.from({ length: 60 }, (): Shift => {
    const start = midnight(-2) + random.int(0, 60 * 60) * MINUTE;
    const end = start + random.int(30, 14 * 60) * MINUTE;
    return {
      site: random.chance(0.5) ? 'here' : 'elsewhere',
      start,
      end,
      headcount: random.int(1, 4),
    };
  }).sort((a, b) => a.start - b.start);
  const duties: Duty[] = [];
  for (const shift of shifts) {
    for (const { id } of GUARDS) {
      const own = duties.filter(({ guard, isCancelled }) => guard === id && !isCancelled);
      if (own.some((duty) => duty.shift.start < shift.end && duty.shift.end > shift.start))
        continue;
      const duty: Duty = { shift, guard: id, isCancelled: random.chance(0.15) };
      duties.push(duty);
      if (duty.isCancelled || shift.end + 40 * MINUTE > latest || random.chance(0.2)) continue;
      duty.in = shift.start + random.int(-20, 12) * MINUTE;
      duty.out = shift.end + random.int(-12, 30) * MINUTE;
      // A guard is in at one site only: an early arrival ends the previous record first.
      if (own.some((other) => other.out !== undefined && other.out > (duty.in ?? 0) - 1)) {
        delete duty.in;
        delete duty.out;
      }
    }
  }
  return { shifts, duties };
}

async function write(client: PoolClient, { shifts, duties }: ReturnType<typeof makeRoster>) {
  const ids = new Map<Shift, string>();
  for (const shift of shifts) {
    const { rows } = await client.query<{ id: string }>(
      `insert into shifts (site_id, start_time, end_time, required_headcount) values ($1, $2, $3, $4) returning id`,
      [scene.sites[shift.site], new Date(shift.start), new Date(shift.end), shift.headcount],
    );
    ids.set(shift, rows[0]?.id ?? '');
  }
  for (const duty of duties) {
    const { rows } = await client.query<{ id: string }>(
      `insert into assignments (shift_id, user_id, status) values ($1, $2, $3) returning id`,
      [ids.get(duty.shift), duty.guard, duty.isCancelled ? 'cancelled' : 'assigned'],
    );
    if (duty.in === undefined || duty.out === undefined) continue;
    await client.query(
      'insert into attendance (assignment_id, clock_in_at, clock_out_at) values ($1, $2, $3)',
      [rows[0]?.id, new Date(duty.in), new Date(duty.out)],
    );
  }
}

/** A shift counts in every hour in which it has at least one minute. */
function expected(from: number, { shifts, duties }: ReturnType<typeof makeRoster>) {
  const minutes = Array.from({ length: 60 }, (_, index) => from + index * MINUTE);
  const isOn = ({ start, end }: Shift) => minutes.some((at) => at >= start && at < end);
  const placed = duties.filter(({ shift, isCancelled }) => !isCancelled && isOn(shift));
  const present = placed.filter(({ shift, ...duty }) =>
    minutes.some(
      (at) =>
        at >= Math.max(shift.start, duty.in ?? Number.POSITIVE_INFINITY) &&
        at < Math.min(shift.end, duty.out ?? 0),
    ),
  );
  return {
    required: shifts.filter(isOn).reduce((sum, { headcount }) => sum + headcount, 0),
    assigned: placed.length,
    clocked_in: present.length,
  };
}

describe('coverage_by_hour', () => {
  const sql = 'select hour, required, assigned, clocked_in from coverage_by_hour($1)';

  test('matches a minute-by-minute count, across midnight and for a supervisor’s site', async () => {
    const random = new Random('coverage');
    const roster = makeRoster(random);
    await rolledBack(database.owner, async (client) => {
      await write(client, roster);
      const own = {
        shifts: roster.shifts.filter(({ site }) => site === 'elsewhere'),
        duties: roster.duties.filter(({ shift }) => shift.site === 'elsewhere'),
      };
      for (const [person, known] of [
        [opsManager, roster],
        [supervisorElsewhere, own],
      ] as const) {
        await become(client, person);
        for (const days of [-2, -1]) {
          const { rows } = await client.query(sql, [dayOf(midnight(days))]);
          const hours = Array.from({ length: 24 }, (_, hour) => midnight(days) + hour * HOUR);
          expect(rows).toEqual(
            hours.map((from) => ({ hour: new Date(from), ...expected(from, known) })),
          );
        }
      }
      const { rows } = await client.query(
        `select max(required) as most from coverage_by_hour('2000-01-01')`,
      );
      expect(rows).toEqual([{ most: 0 }]);
    });
  });

  test('has no presence in future hours, and a forgotten clock-out ends with its shift', async () => {
    await rolledBack(database.owner, async (client) => {
      const shift = { site: 'here', start: midnight(-1), headcount: 1 } as const;
      const whole: Shift = { ...shift, end: midnight(2) };
      const forgotten: Shift = { ...shift, start: midnight(-2), end: midnight(-1) + 30 * MINUTE };
      await write(client, { shifts: [whole, forgotten], duties: [] });
      await client.query(
        `with placed as (
           insert into assignments (shift_id, user_id, override_reason)
           select id, case when end_time = $3 then $1::uuid else $2::uuid end, 'Flood' from shifts returning id
         )
         insert into attendance (assignment_id, clock_in_at) select id, $4 from placed`,
        [guardHere.id, bystander.id, new Date(whole.end), new Date(midnight(-1) + 5 * MINUTE)],
      );
      await become(client, opsManager);
      const yesterday = await client.query(sql, [dayOf(midnight(-1))]);
      expect(yesterday.rows.map(({ clocked_in }) => clocked_in)).toEqual([
        2,
        ...Array.from({ length: 23 }, () => 1),
      ]);
      const today = await client.query(sql, [null]);
      for (const { hour, required, clocked_in } of today.rows) {
        expect([required, clocked_in]).toEqual([1, hour.getTime() <= Date.now() ? 1 : null]);
      }
    });
  });
});

describe('incidents_by_day', () => {
  test('counts company days, including those without incidents', async () => {
    await rolledBack(database.owner, async (client) => {
      const report = (site: SiteKey, severity: string, at: number) =>
        client.query(
          `insert into incidents (site_id, title, category, severity, description, created_at)
           values ($1, 'Broken window', 'theft', $2, 'A window was found broken.', $3)`,
          [scene.sites[site], severity, new Date(at)],
        );
      await client.query('delete from incidents');
      await report('here', 'low', midnight(-1) - 1);
      await report('here', 'low', midnight(-1));
      await report('elsewhere', 'critical', midnight(0) - 1);
      await report('elsewhere', 'high', midnight(-2) - 1);
      const none = { low: 0, medium: 0, high: 0, critical: 0 };
      const counted = async () =>
        (
          await client.query(
            'select day::text, low, medium, high, critical from incidents_by_day(3)',
          )
        ).rows;
      await become(client, opsManager);
      expect(await counted()).toEqual([
        { ...none, day: dayOf(midnight(-2)), low: 1 },
        { ...none, day: dayOf(midnight(-1)), low: 1, critical: 1 },
        { ...none, day: dayOf(midnight(0)) },
      ]);
      await become(client, supervisorElsewhere);
      expect((await counted()).map(({ low, critical }) => [low, critical])).toEqual([
        [0, 0],
        [0, 1],
        [0, 0],
      ]);
      const { rows } = await client.query('select count(*)::int as days from incidents_by_day()');
      expect(rows).toEqual([{ days: 30 }]);
    });
  });
});
