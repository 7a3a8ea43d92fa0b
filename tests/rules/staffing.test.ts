// Every staffing and presence count against independent SQL over the tables.
import type { PoolClient } from 'pg';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { Random } from '#server/demo/random.ts';
import {
  bystander,
  dispatcher,
  guardElsewhere,
  guardHere,
  hr,
  newcomer,
  opsManager,
  type Person,
  supervisorElsewhere,
} from '#tests/support/people.ts';
import { buildScene, LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

/** A zone with a half-hour offset, so that a day boundary in the wrong zone shows. */
const ZONE = 'Asia/Kolkata';
const GUARDS = [guardHere, guardElsewhere, bystander, newcomer];
const STATUSES = ['assigned', 'confirmed', 'completed', 'no_show', 'cancelled'];

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  database = await freshDatabase();
  scene = await buildScene(database.owner);
  await database.owner.query(
    'delete from attendance; delete from assignments; delete from shifts; delete from leave_requests',
  );
  await database.owner.query('update private.settings set time_zone = $1', [ZONE]);
  await database.owner.query(LENIENT_RULES);
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

async function rowsOf(client: PoolClient, sql: string, values: unknown[] = []) {
  return (await client.query(sql, values)).rows;
}

/** SQL for the company's midnight, `days` from today. */
const midnight = (days: number) =>
  `((now() at time zone '${ZONE}')::date + ${days})::timestamp at time zone '${ZONE}'`;

async function addShift(
  client: PoolClient,
  from: string,
  to: string,
  { site = scene.sites.here, headcount = 1 } = {},
): Promise<string> {
  const [row] = await rowsOf(
    client,
    `insert into shifts (site_id, start_time, end_time, required_headcount)
     values ($1, ${from}, ${to}, $2) returning id`,
    [site, headcount],
  );
  return row.id;
}

async function assign(client: PoolClient, shift: string, person: Person, status = 'assigned') {
  const [row] = await rowsOf(
    client,
    'insert into assignments (shift_id, user_id, status) values ($1, $2, $3) returning id',
    [shift, person.id, status],
  );
  return row.id as string;
}

/** @param first days from today, as `last` */
async function addLeave(
  client: PoolClient,
  person: Person,
  first: number,
  last: number,
  status: string,
): Promise<string> {
  const [row] = await rowsOf(
    client,
    `insert into leave_requests (user_id, type, start_date, end_date, reason, status)
     select $1, 'annual', today + $2::int, today + $3::int, 'Family', $4
     from (select (now() at time zone '${ZONE}')::date as today) t returning id`,
    [person.id, first, last, status],
  );
  return row.id;
}

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

        const open = `(select a.site_id, upper(a.period) > now() as is_running
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
});

describe('leave', () => {
  const STAFFING = 'select assigned, on_leave, no_shows, staffing from shift_board where id = $1';

  test('approved after assigning empties the shift, also for planners who can’t read leave', async () => {
    await rolledBack(database.owner, async (client) => {
      const shift = await addShift(
        client,
        `${midnight(3)} + interval '8 hours'`,
        `${midnight(3)} + interval '16 hours'`,
      );
      await assign(client, shift, guardHere);
      const request = await addLeave(client, guardHere, 2, 4, 'pending');
      const look = async () => {
        await become(client, dispatcher);
        return (await rowsOf(client, STAFFING, [shift]))[0];
      };
      const full = { assigned: 1, on_leave: 0, no_shows: 0, staffing: 'full' };
      expect(await look()).toEqual(full);

      await become(client, hr);
      expect(
        await rowsOf(client, 'select shift_id, required, staffed_without from leave_shifts($1)', [
          request,
        ]),
      ).toEqual([{ shift_id: shift, required: 1, staffed_without: 0 }]);
      await client.query(`select decide_leave($1, 'approved')`, [request]);
      expect(await look()).toEqual({ assigned: 0, on_leave: 1, no_shows: 0, staffing: 'none' });
      await become(client, hr);
      expect(
        await rowsOf(client, 'select staffed_without from leave_shifts($1)', [request]),
      ).toEqual([{ staffed_without: 0 }]);

      await client.query(`select decide_leave($1, 'cancelled', 'The embassy needs you')`, [
        request,
      ]);
      expect(await look()).toEqual(full);
    });
  });

  test('counts on each company day that the shift touches, also when either moves', async () => {
    await rolledBack(database.owner, async (client) => {
      const night = await addShift(
        client,
        `${midnight(3)} + interval '18 hours'`,
        `${midnight(4)} + interval '6 hours'`,
      );
      const evening = await addShift(client, `${midnight(2)} + interval '16 hours'`, midnight(3));
      await assign(client, night, guardHere);
      await assign(client, evening, guardHere);
      const counts = async () =>
        (
          await rowsOf(
            client,
            'select assigned from shift_board where id = any ($1) order by start_time',
            [[evening, night]],
          )
        ).map(({ assigned }) => assigned);
      // A shift that ends at midnight doesn't touch the next day.
      const request = await addLeave(client, guardHere, 3, 3, 'approved');
      expect(await counts()).toEqual([1, 0]);
      await client.query(
        'update leave_requests set start_date = start_date + 1, end_date = end_date + 1 where id = $1',
        [request],
      );
      expect(await counts()).toEqual([1, 0]);
      await client.query(`update shifts set end_time = ${midnight(4)} where id = $1`, [night]);
      expect(await counts()).toEqual([1, 1]);
      await client.query(`update private.settings set time_zone = 'Asia/Tokyo'`);
      expect(await counts()).toEqual([1, 0]);
      await client.query('delete from leave_requests where id = $1', [request]);
      expect(await counts()).toEqual([1, 1]);
    });
  });

  test('can’t be set by a planner, and its changes aren’t logged for the assignment', async () => {
    await rolledBack(database.owner, async (client) => {
      const shift = await addShift(client, midnight(3), midnight(4));
      await addLeave(client, guardHere, 3, 3, 'approved');
      await become(client, dispatcher);
      const [row] = await rowsOf(
        client,
        `insert into assignments (shift_id, user_id, on_leave) values ($1, $2, false), ($1, $3, true)
         returning on_leave`,
        [shift, guardHere.id, bystander.id],
      );
      expect(row).toEqual({ on_leave: true });
      expect(
        await rowsOf(client, 'select assigned, on_leave from shift_board where id = $1', [shift]),
      ).toEqual([{ assigned: 1, on_leave: 1 }]);
      expect(
        await attempt(client, () =>
          client.query('update assignments set on_leave = false where shift_id = $1', [shift]),
        ),
      ).toBe('42501');
      await becomeOwner(client);
      await client.query(`update leave_requests set status = 'cancelled'`);
      const log = await rowsOf(
        client,
        `select new_values from audit_log
         where action = 'update' and table_name = 'assignments'
           and row_id in (select id from assignments where shift_id = $1)`,
        [shift],
      );
      expect(log).toEqual([]);
    });
  });
});

test('an absent guard on approved leave is an issue on the dashboard, but not missing', async () => {
  await rolledBack(database.owner, async (client) => {
    const shift = await addShift(
      client,
      `now() - interval '2 hours'`,
      `now() + interval '2 hours'`,
    );
    await assign(client, shift, guardHere);
    await become(client, opsManager);
    const look = () => rowsOf(client, 'select states, on_leave from attendance_overview');
    expect(await look()).toEqual([{ states: ['missing', 'issues'], on_leave: false }]);
    await becomeOwner(client);
    await addLeave(client, guardHere, -1, 1, 'approved');
    await become(client, opsManager);
    expect(await look()).toEqual([{ states: ['issues'], on_leave: true }]);
    expect(await rowsOf(client, 'select attendance_issues from dashboard_figures()')).toEqual([
      { attendance_issues: 1 },
    ]);
  });
});

test('a no-show leaves the count, and undoing it restores the count', async () => {
  await rolledBack(database.owner, async (client) => {
    const shift = await addShift(client, midnight(-1), midnight(0), { headcount: 2 });
    await assign(client, shift, guardHere);
    const missing = await assign(client, shift, bystander);
    await become(client, opsManager);
    const look = () =>
      rowsOf(client, 'select assigned, no_shows, staffing from shift_board where id = $1', [shift]);
    await client.query(`update assignments set status = 'no_show' where id = $1`, [missing]);
    expect(await look()).toEqual([{ assigned: 1, no_shows: 1, staffing: 'partial' }]);
    await client.query(`update assignments set status = 'assigned' where id = $1`, [missing]);
    expect(await look()).toEqual([{ assigned: 2, no_shows: 0, staffing: 'full' }]);
  });
});

test('guards on leave are shown as on leave when guards are chosen', async () => {
  await rolledBack(database.owner, async (client) => {
    await addLeave(client, guardHere, 3, 3, 'approved');
    await become(client, dispatcher);
    const rows = await rowsOf(
      client,
      `select user_id from guard_availability($1, ${midnight(3)}, ${midnight(4)})
       where on_leave and 'On approved leave' = any (warnings)`,
      [scene.sites.here],
    );
    expect(rows).toEqual([{ user_id: guardHere.id }]);
  });
});

describe('impossible dates are refused', () => {
  test.each([
    `week_totals('-infinity')`,
    'week_totals(null)',
    `week_totals('5874897-12-31')`,
    `coverage_by_hour('infinity')`,
    `attendance_of('infinity')`,
    `attendance_counts('-infinity')`,
    `shift_totals('-infinity')`,
    `shift_totals(now() - interval '401 days')`,
    `shift_totals(now(), now() + interval '401 days')`,
    `guard_availability((select id from sites limit 1), now(), 'infinity')`,
    `guard_availability((select id from sites limit 1), null, now())`,
    `guard_availability((select id from sites limit 1), now(), now() + interval '401 days')`,
  ])('%s', async (call) => {
    await rolledBack(database.owner, async (client) => {
      await become(client, opsManager);
      expect(await attempt(client, () => client.query(`select * from ${call}`))).toBe('22023');
    });
  });
});
