// An open seat is open everywhere: the roster, its Fill, Shifts, Operations, Dashboard, the hours of a day and the offers to
// guards, against SQL of this file, in random companies.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { Random } from '#demo/random.ts';
import { effectiveRoster } from '#shared/roster/effective.ts';
import { fillRoster } from '#shared/roster/engine.ts';
import { rosterInputSchema } from '#shared/roster/input.ts';
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
  admin,
  bystander,
  guardElsewhere,
  guardHere,
  newcomer,
  opsManager,
  type Person,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

const GUARDS = [guardHere, guardElsewhere, bystander, newcomer];

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await emptyRoster());
});

/** Seats by shift, from the tables alone. */
const SEATS = `
  select s.id, s.start_time, s.end_time, s.required_headcount as needed, (
    select count(*) from assignments a
    where a.shift_id = s.id and a.status in ('assigned', 'confirmed', 'completed') and not exists (
      select from leave_requests l where l.user_id = a.user_id and l.status = 'approved'
        and greatest(s.start_time, coalesce(a.joins_at, s.start_time)) < (l.end_date + 1)::timestamp at time zone '${ZONE}'
        and s.end_time > l.start_date::timestamp at time zone '${ZONE}'
    )
  ) as filled
  from shifts s`;

const OPEN = `
  select id, start_time, end_time, greatest(needed - filled, 0)::int as open from (${SEATS}) s where end_time > now()`;

/** Minutes from the begun hour, every hour: between the start of a shift and a replacement who joins an hour later. */
const HOURS = `
  select h as hour, date_trunc('hour', now()) + h * interval '1 hour' + interval '37 minutes' as begins
  from generate_series(-8, 40) h`;

const FILTERS = `(values (null), ('open'), ('full')) f (staffing)`;

/** Two days of shifts, and all that can empty a seat afterwards: leave, no-shows, cancellations, an end, a lapse. */
async function fillCompany(client: PoolClient, seed: string): Promise<void> {
  const random = new Random(seed);
  const { rows: posts } = await client.query<{ id: string }>(
    `insert into posts (site_id, name) values ($1, 'Gate 7') returning id`,
    [scene.sites.here],
  );
  await client.query('insert into post_courses (post_id, course_id) values ($1, $2)', [
    posts[0]?.id,
    scene.courseId,
  ]);
  await client.query(
    `insert into certifications (user_id, course_id, issued_at, expires_at)
     select g, $2, now() - interval '1 year', now() + interval '1 year' from unnest($1::uuid[]) g`,
    [GUARDS.map(({ id }) => id), scene.courseId],
  );
  for (let hour = -6; hour < 48; hour += random.int(2, 4)) {
    const from = `date_trunc('hour', now()) + interval '${hour} hours 7 minutes'`;
    const isHere = random.chance(0.5);
    const shift = await addShift(client, from, `${from} + interval '${random.int(3, 9)} hours'`, {
      site: isHere ? scene.sites.here : scene.sites.elsewhere,
      headcount: random.int(1, 3),
    });
    if (isHere && random.chance(0.5))
      await client.query('update shifts set post_id = $2 where id = $1', [shift, posts[0]?.id]);
    for (const person of GUARDS)
      if (random.chance(0.7)) await attempt(client, () => assign(client, shift, person));
  }
  const some = (share: number) =>
    `(select id from assignments where abs(hashtext(id::text || '${seed}')) % 100 < ${share})`;
  // A replacement who joins later.
  await client.query(
    `update assignments set joins_at = starts_at + interval '1 hour'
     where id in ${some(20)} and upper(period) > starts_at + interval '90 minutes'`,
  );
  await client.query(
    `update assignments set status = 'no_show' where id in ${some(12)} and starts_at < now()`,
  );
  await client.query(`update assignments set status = 'cancelled' where id in ${some(8)}`);
  await client.query(
    `update assignments set status = 'confirmed' where status = 'assigned' and id in ${some(50)}`,
  );
  await addLeave(client, guardElsewhere, random.int(0, 1), 1, 'approved');
  await addLeave(client, bystander, 0, 2, random.pick(['pending', 'rejected']));
  await client.query('update certifications set expires_at = now() + $2 where user_id = $1', [
    guardHere.id,
    `${random.int(1, 20)} hours`,
  ]);
  await become(client, admin);
  await client.query(`select end_employment($1, (now() at time zone '${ZONE}')::date)`, [
    newcomer.id,
  ]);
  await becomeOwner(client);
}

test.each(['harper', 'kakata', 'zwedru', 'voinjama'])('in company %s', (seed) =>
  rolledBack(database.owner, async (client) => {
    await fillCompany(client, seed);
    const count = async (sql: string) => {
      await becomeOwner(client);
      return rowsOf(client, sql);
    };
    const ask = async (sql: string, values: unknown[] = []) => {
      await become(client, opsManager);
      return rowsOf(client, sql, values);
    };
    const counted = await count(`select id, open from (${OPEN}) o where open > 0 order by id`);
    expect(counted.length).toBeGreaterThan(3);
    const bySeats = new Map(counted.map(({ id, open }) => [id, open]));

    const shifts = await ask(
      `select id, required_headcount - assigned as open from shift_board
       where end_time > now() and assigned < required_headcount order by id`,
    );
    expect(shifts, 'Shifts').toEqual(counted);

    const listed = (spans: string) => `
      select t.hour, t.staffing, count(s.id)::int as shifts, coalesce(sum(s.filled), 0)::int as assigned,
        coalesce(sum(s.needed), 0)::int as required
      from (${HOURS}) h cross join ${FILTERS} cross join lateral (select h.hour, h.begins, f.staffing) t
      left join (${SEATS}) s on ${spans}
        and case t.staffing when 'open' then s.filled < s.needed when 'full' then s.filled >= s.needed else true end
      group by 1, 2 order by 1, 2`;
    const totals = (span: string) => `
      select h.hour, f.staffing, t.* from (${HOURS}) h cross join ${FILTERS}
      cross join lateral shift_totals(${span}, p_staffing => f.staffing) t order by 1, 2`;
    expect(
      await ask(totals(`p_from => h.begins, p_to => h.begins + interval '12 hours'`)),
      'Totals of Shifts from an hour',
    ).toEqual(
      await count(
        listed(`s.start_time >= t.begins and s.start_time < t.begins + interval '12 hours'`),
      ),
    );
    expect(
      await ask(totals(`p_ends_after => h.begins, p_to => h.begins + interval '12 hours'`)),
      'Totals of Shifts that are not over',
    ).toEqual(
      await count(
        listed(`s.end_time > t.begins and s.start_time < t.begins + interval '12 hours'`),
      ),
    );

    const [{ input }] = await ask(
      `select roster_input((now() at time zone '${ZONE}')::date - 1, (now() at time zone '${ZONE}')::date + 3) as input`,
    );
    const roster = rosterInputSchema.parse(input);
    const effective = effectiveRoster(roster);
    const now = Date.now() / 60_000;
    const planned = roster.shifts.flatMap(({ id, headcount, end }) => {
      const open = headcount - effective.peopleOn(id).size;
      return open > 0 && end > now ? [[id, open] as const] : [];
    });
    expect(new Map(planned), 'Roster').toEqual(bySeats);

    // Without anybody to assign, Fill names each open seat of what it was asked to fill.
    const nobody = {
      ...roster,
      people: roster.people.map((person) => ({
        ...person,
        banned: roster.sites.map(({ id }) => id),
      })),
    };
    const leftOpen = (shiftIds: readonly string[]) => {
      const scope = { mode: 'fill', seed: 1, shiftIds, now: Math.floor(now) } as const;
      const { unfilled } = fillRoster(nobody, { ...scope, used: (steps) => steps / 500 });
      return new Map(unfilled.map(({ shift_id, seats }) => [shift_id, seats]));
    };
    const asked = roster.shifts.map(({ id }) => id);
    expect(leftOpen(asked), 'Fill').toEqual(bySeats);
    const [one = ''] = bySeats.keys();
    expect(leftOpen([one]), 'Fill of one shift').toEqual(new Map([[one, bySeats.get(one)]]));

    const [{ board }] = await ask(
      `select operations_board(now() - interval '12 hours', now() + interval '30 hours') as board`,
    );
    const watched: { id: string; empty: number; ends: string }[] = board.shifts;
    const within = await count(
      `select id, open from (${OPEN}) o where open > 0 and start_time < now() + interval '30 hours' order by id`,
    );
    expect(
      watched
        .filter(({ empty, ends }) => empty > 0 && Date.parse(ends) > Date.now())
        .map(({ id, empty }) => ({ id, open: empty }))
        .sort((a, b) => a.id.localeCompare(b.id)),
      'Operations',
    ).toEqual(within);

    expect(await ask('select next_missing, gaps_next from dashboard_start()'), 'Dashboard').toEqual(
      await count(
        `select coalesce(sum(open), 0)::int as next_missing, (count(*) filter (where open > 0))::int as gaps_next
         from (${OPEN}) o where start_time > now() and start_time <= now() + interval '12 hours'`,
      ),
    );

    const offered = await count(
      `select id from (${OPEN}) o where open > 0 and start_time > now() and start_time < now() + interval '14 days'`,
    );
    await become(client, bystander);
    const seen = await rowsOf(client, 'select shift_id, seats from open_shifts()');
    for (const { shift_id, seats } of seen) {
      expect(seats, 'Open shifts of a guard').toBe(bySeats.get(shift_id));
      expect(offered.map(({ id }) => id)).toContain(shift_id);
    }
  }),
);

describe('a replacement who joins long after the shift has started fills its seat', () => {
  /** A shift of `hours`, and a guard who joins `later` hours after its start. */
  const replaced = async (
    client: PoolClient,
    {
      from,
      hours = 12,
      later,
      site,
    }: { from: string; hours?: number; later: number; site?: string },
  ) => {
    const shift = await addShift(client, from, `${from} + interval '${hours} hours'`, { site });
    await client.query(
      `insert into assignments (shift_id, user_id, joins_at)
       select id, $2, start_time + interval '${later} hours' from shifts where id = $1`,
      [shift, guardHere.id],
    );
    return shift;
  };
  const asked = async (client: PoolClient, person: Person, sql: string) => {
    await become(client, person);
    return rowsOf(client, sql);
  };

  test.each([
    ['of a night', { from: `now() + interval '11 hours'`, hours: 8, later: 2 }],
    ['of sixty hours', { from: `now() + interval '11 hours'`, hours: 60, later: 40 }],
  ])('on the dashboard, %s', (_, shift) =>
    rolledBack(database.owner, async (client) => {
      await replaced(client, shift);
      expect(
        await asked(client, opsManager, 'select next_missing, gaps_next from dashboard_start()'),
      ).toEqual([{ next_missing: 0, gaps_next: 0 }]);
    }),
  );

  test('in the totals that the guard sees of a day', () =>
    rolledBack(database.owner, async (client) => {
      await replaced(client, { from: `${midnight(1)} - interval '4 hours'`, later: 5 });
      const totals = `select t.* from shift_totals(p_from => ${midnight(0)}, p_to => ${midnight(1)}) t`;
      expect(await asked(client, guardHere, totals)).toEqual([
        { shifts: 1, assigned: 1, required: 1 },
      ]);
    }));

  test('among the posts of more sites than one board shows, and the name finds the post', () =>
    rolledBack(database.owner, async (client) => {
      await replaced(client, { from: `now() + interval '1 hour'`, later: 3 });
      const board = (words: string) => `
        select counts ->> 'empty' as empty, counts ->> 'unconfirmed' as unconfirmed, posts
        from private.gravest_posts(now() - interval '12 hours', now() + interval '2 hours',
          null, null, null, null, null, null, ${words})`;
      for (const words of ['null', `'${guardHere.name}'`])
        expect(await rowsOf(client, board(words))).toEqual([
          { empty: '0', unconfirmed: '1', posts: 1 },
        ]);
    }));

  test('in the roster of the day on which the shift starts; in that of the next day the guard is taken', () =>
    rolledBack(database.owner, async (client) => {
      const shift = await replaced(client, {
        from: `${midnight(4)} - interval '4 hours'`,
        later: 5,
      });
      const roster = async (day: number) => {
        const date = `(now() at time zone '${ZONE}')::date + ${day}`;
        const [row] = await asked(
          client,
          opsManager,
          `select roster_input(${date}, ${date}) as input`,
        );
        const { assignments, shifts, people } = rosterInputSchema.parse(row.input);
        return {
          shifts: shifts.map(({ id }) => id),
          assigned: assignments.map(({ shift_id }) => shift_id),
          taken: people
            .find(({ id }) => id === guardHere.id)
            ?.outside.map(([from, to]) => to - from),
        };
      };
      expect(await roster(3)).toEqual({ shifts: [shift], assigned: [shift], taken: [] });
      expect(await roster(4)).toEqual({ shifts: [], assigned: [], taken: [7 * 60] });
    }));

  test('and its hours belong to the week in which the shift starts', () =>
    rolledBack(database.owner, async (client) => {
      await replaced(client, { from: `${midnight(7)} - interval '4 hours'`, later: 5 });
      const week = (first: number) =>
        asked(
          client,
          opsManager,
          `select hours::float, shifts from week_guards((now() at time zone '${ZONE}')::date + ${first})
           where id = '${guardHere.id}'`,
        );
      expect(await week(0)).toEqual([{ hours: 7, shifts: 1 }]);
      expect(await week(7)).toEqual([{ hours: 0, shifts: 0 }]);
    }));

  test('and is not offered to others', () =>
    rolledBack(database.owner, async (client) => {
      const shift = await replaced(client, {
        from: `now() + interval '13 days 23 hours'`,
        later: 2,
      });
      await client.query('update shifts set is_manual = true where id = $1', [shift]);
      expect(await asked(client, bystander, 'select shift_id from open_shifts()')).toEqual([]);
    }));
});
