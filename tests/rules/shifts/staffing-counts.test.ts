// Every staffing and presence count against independent SQL over the tables.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { Random } from '#demo/random.ts';
import {
  addLeave,
  addShift,
  assign,
  emptyRoster,
  midnight,
  rowsOf,
  ZONE,
} from '#tests/support/empty-roster.ts';
import {
  bystander,
  guardElsewhere,
  guardHere,
  newcomer,
  opsManager,
  type Person,
  supervisorElsewhere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

const GUARDS = [guardHere, guardElsewhere, bystander, newcomer];
const STATUSES = ['assigned', 'confirmed', 'completed', 'no_show', 'cancelled'];

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await emptyRoster());
});

/** Staffed guards of each shift, without the functions and columns under test. */
const COUNTED = `
  select s.id, s.site_id, s.start_time, s.end_time, s.required_headcount as required, count(a.id)::int as assigned
  from shifts s
  left join assignments a on a.shift_id = s.id and a.status in ('assigned', 'confirmed', 'completed')
    and not exists (
      select from leave_requests l where l.user_id = a.user_id and l.status = 'approved'
        and s.start_time < (l.end_date + 1)::timestamp at time zone '${ZONE}'
        and s.end_time > l.start_date::timestamp at time zone '${ZONE}'
    )
  group by s.id`;

/** Ten days of shifts at both sites, many across midnight, with every assignment and leave status. */
async function fillRoster(client: PoolClient, seed: string): Promise<void> {
  const random = new Random(seed);
  for (const person of GUARDS) {
    for (let day = -4; day < 6; day += random.int(3, 5)) {
      const status = random.pick(['approved', 'approved', 'pending', 'rejected', 'cancelled']);
      await addLeave(client, person, day, day + random.int(0, 1), status);
    }
  }
  for (let hour = -4 * 24; hour < 6 * 24; hour += random.int(2, 5)) {
    const from = `${midnight(0)} + interval '${hour} hours ${random.int(0, 59)} minutes'`;
    const shift = await addShift(client, from, `${from} + interval '${random.int(3, 14)} hours'`, {
      site: random.chance(0.5) ? scene.sites.here : scene.sites.elsewhere,
      headcount: random.int(1, 3),
    });
    for (const person of GUARDS) {
      await attempt(client, () => assign(client, shift, person, random.pick(STATUSES)));
    }
  }
  // Open records of this hour and forgotten ones; a guard has one open record at most.
  for (const person of GUARDS) {
    await client.query(
      `insert into attendance (assignment_id, clock_in_at)
       select a.id, least(now(), lower(a.period)) from assignments a
       where a.user_id = $1 and a.status <> 'cancelled' and lower(a.period) < now()
       order by lower(a.period) ${random.chance(0.5) ? 'desc' : 'asc'} limit 1`,
      [person.id],
    );
  }
}

describe('every staffing count matches the tables', () => {
  test.each(['one', 'two', 'three'])('roster %s', async (seed) => {
    await rolledBack(database.owner, async (client) => {
      await fillRoster(client, seed);
      // Without exclusions a wrong count would go unnoticed.
      const [absent] = await rowsOf(
        client,
        'select min(n) as least from (select count(*) n from assignments where on_leave union all select count(*) from attendance) c',
      );
      expect(Number(absent.least)).toBeGreaterThan(0);
      const seen: [Person, string][] = [
        [opsManager, 'true'],
        [supervisorElsewhere, `site_id = '${scene.sites.elsewhere}'`],
      ];
      for (const [person, own] of seen) {
        const counted = `(${COUNTED}) c`;
        const count = async (sql: string, values: unknown[] = []) => {
          await becomeOwner(client);
          return rowsOf(client, sql, values);
        };
        const ask = async (sql: string, values: unknown[] = []) => {
          await become(client, person);
          return rowsOf(client, sql, values);
        };

        expect(
          await ask(
            `select id, assigned, required_headcount as required, staffing from shift_board order by id`,
          ),
        ).toEqual(
          await count(
            `select id, assigned, required, case when assigned >= required then 'full'
               when assigned > 0 then 'partial' else 'none' end as staffing
             from ${counted} where ${own} order by id`,
          ),
        );

        const sums = `count(c.id)::int as shifts, coalesce(sum(assigned), 0)::int as assigned,
          coalesce(sum(required), 0)::int as required`;
        expect(
          await ask('select shifts, assigned, required from shift_totals(p_ends_after => now())'),
        ).toEqual(await count(`select ${sums} from ${counted} where ${own} and end_time > now()`));

        const today = `(now() at time zone '${ZONE}')::date`;
        expect(
          await ask(
            `select day - ${today} as day, shifts, assigned, required from week_totals(${today} - 2)`,
          ),
        ).toEqual(
          await count(
            `select d.day, ${sums} from generate_series(-2, 4) d (day)
             left join ${counted} on ${own} and start_time >= ${midnight(0)} + d.day * interval '1 day'
               and start_time < ${midnight(1)} + d.day * interval '1 day'
             group by d.day order by d.day`,
          ),
        );

        expect(
          await ask(`select hour, assigned, required from coverage_by_hour(${today} + 1)`),
        ).toEqual(
          await count(
            `select h.hour, coalesce(sum(assigned), 0)::int as assigned, coalesce(sum(required), 0)::int as required
             from generate_series(${midnight(1)}, ${midnight(2)} - interval '1 hour', interval '1 hour') h (hour)
             left join ${counted} on ${own} and start_time < h.hour + interval '1 hour' and end_time > h.hour
             group by h.hour order by h.hour`,
          ),
        );

        const open = `(select a.site_id, upper(a.period) + interval '30 minutes' > now() as is_running
          from attendance r join assignments a on a.id = r.assignment_id where r.clock_out_at is null) o
          where ${own}`;
        const [presence] = await count(
          `select (select count(*) from ${open} and is_running)::int as clocked_in,
             (select count(*) from ${open} and not is_running)::int as forgotten`,
        );
        const posts = `(select c.*,
            (select count(*) from assignments a join attendance r on r.assignment_id = a.id
              where a.shift_id = c.id and a.status <> 'cancelled' and r.clock_out_at is null) as present,
            (select count(*) from assignments a
              where a.shift_id = c.id and a.status in ('assigned', 'confirmed', 'completed') and not a.on_leave
                and not exists (select from attendance r where r.assignment_id = a.id)) as late
          from ${counted} where ${own}) p`;
        const [running] = await count(
          `select coalesce(sum(required), 0)::int as required, coalesce(sum(present), 0)::int as on_post,
             coalesce(sum(late), 0)::int as late,
             coalesce(sum(greatest(required - present - late, 0)), 0)::int as uncovered,
             (count(*) filter (where late > 0 or required > present + late))::int as gaps_now
           from ${posts} where start_time <= now() and end_time > now()`,
        );
        const [next] = await count(
          `select coalesce(sum(required), 0)::int as next_required,
             coalesce(sum(greatest(required - assigned, 0)), 0)::int as next_missing,
             (count(*) filter (where required > assigned))::int as gaps_next
           from ${posts} where start_time > now() and start_time <= now() + interval '12 hours'`,
        );
        expect(
          await ask(
            `select required, on_post, late, uncovered, gaps_now, next_required, next_missing, gaps_next,
               forgotten_clock_outs from dashboard_start()`,
          ),
        ).toEqual([{ ...running, ...next, forgotten_clock_outs: presence.forgotten }]);
        expect(
          await ask(`select shifts, assigned, required from shift_totals(p_staffing => 'open')`),
        ).toEqual(
          await count(
            `select ${sums} from ${counted} where ${own} and end_time > now() and assigned < required`,
          ),
        );
        expect(
          await ask(
            `select coalesce(sum(rows) filter (where state = 'in'), 0)::int as clocked_in,
               coalesce(sum(rows) filter (where state = 'forgotten'), 0)::int as forgotten
             from attendance_counts()`,
          ),
        ).toEqual([presence]);
      }
    });
  });

  test.each(['monrovia', 'buchanan'])('of whole days follow every change (%s)', async (seed) => {
    await rolledBack(database.owner, async (client) => {
      await becomeOwner(client);
      await fillRoster(client, seed);
      const shown = async () => {
        await become(client, opsManager);
        const rows = await rowsOf(
          client,
          `select d.day, t.* from generate_series(date_trunc('day', now(), 'UTC') - interval '6 days',
             date_trunc('day', now(), 'UTC') + interval '8 days', interval '1 day') d (day)
           cross join lateral shift_totals(d.day, d.day + interval '1 day') t where t.shifts > 0 order by 1`,
        );
        await becomeOwner(client);
        return rows;
      };
      const counted = () =>
        rowsOf(
          client,
          `select date_trunc('day', start_time, 'UTC') as day, count(*)::int as shifts, sum(assigned)::int as assigned,
             sum(required)::int as required from (${COUNTED}) c group by 1 order by 1`,
        );
      for (const change of [
        `select 1`,
        `update shifts set required_headcount = required_headcount + 1 where start_time > now()`,
        `update shifts set start_time = start_time + interval '30 hours', end_time = end_time + interval '30 hours'
         where start_time = (select max(start_time) from shifts)`,
        `update assignments set status = 'cancelled' where starts_at > now() + interval '3 days'`,
        `delete from leave_requests`,
        `delete from assignments where starts_at > now() + interval '2 days'`,
        `delete from shifts where start_time > now() + interval '1 day'`,
      ]) {
        expect((await client.query(change)).rowCount, change).not.toBe(0);
        expect(await shown(), change).toEqual(await counted());
      }
    });
  });

  test('between two times add whole days and the hours beside them', async () => {
    await rolledBack(database.owner, async (client) => {
      await becomeOwner(client);
      await fillRoster(client, 'gbarnga');
      for (const [from, to] of [
        [-80, 90],
        [-3, 3],
        [0, 24],
        [5, 29],
        [-24, 48],
      ]) {
        const start = `date_trunc('day', now(), 'UTC') + interval '${from} hours'`;
        const end = `date_trunc('day', now(), 'UTC') + interval '${to} hours'`;
        await becomeOwner(client);
        const counted = await rowsOf(
          client,
          `select count(*)::int as shifts, coalesce(sum(assigned), 0)::int as assigned,
             coalesce(sum(required), 0)::int as required
           from (${COUNTED}) c where start_time >= ${start} and start_time < ${end}`,
        );
        await become(client, opsManager);
        expect(
          await rowsOf(
            client,
            `select shifts, assigned, required from shift_totals(${start}, ${end})`,
          ),
        ).toEqual(counted);
      }
    });
  });

  test.each([
    // Of a shift that runs, and of one that runs when the asked time ends.
    ['-2 hours', '10 hours', 'p_ends_after => now()'],
    ['5 hours', '10 hours', `now(), now() + interval '8 hours'`],
  ])('a replacement on the way counts once (shift from now %s)', async (from, to, asked) => {
    await rolledBack(database.owner, async (client) => {
      await becomeOwner(client);
      const shift = await addShift(
        client,
        `now() + interval '${from}'`,
        `now() + interval '${to}'`,
        {
          headcount: 2,
        },
      );
      await assign(client, shift, guardHere);
      await client.query(
        `insert into assignments (shift_id, user_id, joins_at) values ($1, $2, now() + interval '9 hours')`,
        [shift, bystander.id],
      );
      await become(client, opsManager);
      for (const staffing of ['null', `'full'`])
        expect(
          await rowsOf(
            client,
            `select shifts, assigned, required from shift_totals(${asked}, p_staffing => ${staffing})`,
          ),
        ).toEqual([{ shifts: 1, assigned: 2, required: 2 }]);
    });
  });
});
