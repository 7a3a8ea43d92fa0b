// What the operations room sees: shifts around now with guards, attendance and empty seats, at the caller's sites alone.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  admin,
  bystander,
  dispatcher,
  guardElsewhere,
  guardHere,
  hr,
  newcomer,
  type Person,
  type SiteKey,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, REFUSED, rolledBack } from '#tests/support/session.ts';
import { boardSchema } from '#web/features/operations/board/operations-schema.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(`delete from alerts; delete from clock_events; delete from attendance;
    delete from assignments; delete from shifts`);
  await database.owner.query(LENIENT_RULES);
});

interface Room {
  /** Adds a shift, in hours from now. @returns its id */
  shift: (from: number, to: number, more?: { site?: SiteKey; seats?: number }) => Promise<string>;
  /** @returns the id of the assignment */
  assign: (shift: string, person: Person, set?: string) => Promise<string>;
  /** Adds attendance, in hours from now. */
  attend: (assignment: string, from: number, to?: number) => Promise<void>;
  owner: (sql: string, values?: unknown[]) => Promise<void>;
  board: (
    person: Person,
    args?: string,
    values?: unknown[],
  ) => Promise<z.infer<typeof boardSchema>>;
  refusal: (person: Person, args?: string) => Promise<string | undefined>;
}

const room = (work: (room: Room) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    const run = async (sql: string, values: unknown[] = []): Promise<string> => {
      await becomeOwner(client);
      const { rows } = await client.query<{ id: string }>(sql, values);
      return rows[0]?.id ?? '';
    };
    await work({
      shift: (from, to, { site = 'here', seats = 1 } = {}) =>
        run(
          `insert into shifts (site_id, post_id, start_time, end_time, required_headcount)
           values ($1, $2, now() + $3 * interval '1 hour', now() + $4 * interval '1 hour', $5) returning id`,
          [scene.sites[site], scene.posts[site], from, to, seats],
        ),
      assign: async (shift, person, set) => {
        const id = await run(
          'insert into assignments (shift_id, user_id) values ($1, $2) returning id',
          [shift, person.id],
        );
        if (set) await run(`update assignments set ${set} where id = $1`, [id]);
        return id;
      },
      attend: async (assignment, from, to) => {
        await run(
          `insert into attendance (assignment_id, clock_in_at, clock_in_gps, clock_out_at)
           values ($1, now() + $2 * interval '1 hour', '6.3000,-10.8010', now() + $3 * interval '1 hour')`,
          [assignment, from, to ?? null],
        );
      },
      owner: async (sql, values) => void (await run(sql, values)),
      board: async (person, args = '', values = []) => {
        await become(client, person);
        const { rows } = await client.query(`select operations_board(${args}) as board`, values);
        return z.tuple([z.object({ board: boardSchema })]).parse(rows)[0].board;
      },
      refusal: async (person, args = '') => {
        await become(client, person);
        return attempt(client, () => client.query(`select operations_board(${args})`));
      },
    });
  });

describe('the window', () => {
  test('has what overlaps the last 12 and the next 2 hours, a night across midnight and a long shift too', () =>
    room(async ({ shift, board }) => {
      const night = await shift(-13, -1);
      const running = await shift(-8, 4);
      const next = await shift(1.9, 9);
      const long = await shift(-40, 1);
      await shift(-30, -12.1);
      await shift(2.1, 10);
      await shift(-50, -13);
      const { shifts } = await board(admin);
      expect(shifts.map(({ id }) => id).sort()).toEqual([night, running, next, long].sort());
    }));

  test('may be another one, of at most two days', () =>
    room(async ({ shift, board, refusal }) => {
      const old = await shift(-100, -92);
      const args = `now() - interval '4 days 5 hours', now() - interval '3 days'`;
      expect((await board(admin, args)).shifts.map(({ id }) => id)).toEqual([old]);
      expect(await refusal(admin, `now() - interval '3 days', now()`)).toBe('22023');
      expect(await refusal(admin, `'-infinity', now()`)).toBe('22023');
    }));

  test('does not bound shifts asked for by id, which leave out the deleted', () =>
    room(async ({ shift, board, owner }) => {
      const far = await shift(100, 108);
      const gone = await shift(0, 8);
      await owner('delete from shifts where id = $1', [gone]);
      const { shifts } = await board(admin, 'p_shift_ids => $1', [[far, gone]]);
      expect(shifts.map(({ id }) => id)).toEqual([far]);
      const { at, ...rest } = await board(admin, `p_shift_ids => '{}'`);
      expect(rest).toEqual({ sites: [], shifts: [], part: null });
      expect(Number.isNaN(Date.parse(at))).toBe(false);
    }));
});

describe('a shift', () => {
  test('has two guards with what they clocked, and the seats that nobody holds', () =>
    room(async ({ shift, assign, attend, board }) => {
      const id = await shift(-4, 4, { seats: 4 });
      await attend(await assign(id, guardHere), -3.5);
      await attend(await assign(id, bystander), -4, -1);
      await assign(id, guardElsewhere, `status = 'no_show'`);
      await assign(id, newcomer, `status = 'cancelled'`);
      const { sites, shifts } = await board(admin);
      expect(sites).toMatchObject([
        {
          name: 'Here',
          client: 'Client',
          alert_after_minutes: 10,
          supervisors: [supervisorHere.name],
        },
      ]);
      const [only] = shifts;
      expect(only).toMatchObject({ id, post: 'Gate', needed: 4, empty: 2, alerts: [] });
      expect(only?.guards.map(({ name }) => name)).toEqual(
        [bystander, guardElsewhere, guardHere].map(({ name }) => name).sort(),
      );
      const facts = new Map(only?.guards.map((guard) => [guard.user_id, guard]));
      expect(facts.get(guardHere.id)).toMatchObject({
        late_minutes: 30,
        clock_out: null,
        left_early: false,
      });
      expect(facts.get(guardHere.id)?.distance_m).toBeGreaterThan(100);
      expect(facts.get(bystander.id)).toMatchObject({ early_minutes: 300, left_early: true });
      expect(facts.get(guardElsewhere.id)).toMatchObject({ status: 'no_show', clock_in: null });
    }));

  test('expects a replacement when they join', () =>
    room(async ({ shift, owner, board }) => {
      const id = await shift(-4, 4);
      const joins = new Date(Date.now() + 16 * 60_000).toISOString();
      await owner('insert into assignments (shift_id, user_id, joins_at) values ($1, $2, $3)', [
        id,
        guardHere.id,
        joins,
      ]);
      const [only] = (await board(dispatcher)).shifts;
      const [guard] = only?.guards ?? [];
      expect(only?.empty).toBe(0);
      expect([guard?.expected, guard?.joins].map((time) => Date.parse(time ?? ''))).toEqual([
        Date.parse(joins),
        Date.parse(joins),
      ]);
    }));

  test('has when the phone of a guard on post was heard, on this duty alone', () =>
    room(async ({ shift, assign, attend, owner, board }) => {
      const id = await shift(-4, 4, { seats: 2 });
      await attend(await assign(id, guardHere), -3.5);
      await attend(await assign(id, bystander), -4, -1);
      await owner(
        `insert into private.phone_signals (user_id, heard_at, is_away, waiting)
         values ($1, now() - interval '1 hour', true, 3), ($2, now() - interval '2 hours', true, 0)`,
        [guardHere.id, bystander.id],
      );
      const heard = async () =>
        (await board(dispatcher)).shifts[0]?.guards.map((guard) => [
          guard.user_id,
          guard.heard !== null,
          guard.waiting,
        ]);
      expect((await heard())?.sort()).toEqual(
        [
          [guardHere.id, true, 3],
          [bystander.id, false, 0],
        ].sort(),
      );
      await owner(`update private.phone_signals set heard_at = now() - interval '5 hours'`);
      expect((await heard())?.map(([, isHeard]) => isHeard)).toEqual([false, false]);
    }));

  test('has its open alerts, and no closed ones', () =>
    room(async ({ shift, assign, owner, board }) => {
      const id = await shift(-1, 4);
      const assignment = await assign(id, guardHere);
      const raise = 'select private.raise_alert($1, $2, $3, $4, $5, $6, null)';
      const facts = [scene.sites.here, id, assignment, guardHere.id];
      await owner(raise, ['welfare', 'welfare:1', ...facts]);
      await owner(raise, ['missing', 'missing:1', ...facts]);
      await owner(`select private.close_alert('missing:1', 'arrived', null)`);
      const { shifts } = await board(dispatcher);
      expect(shifts[0]?.alerts).toMatchObject([{ kind: 'welfare', assignment_id: assignment }]);
    }));
});

describe('the board is for', () => {
  test('planners; dispatchers see attendance here, which they can’t read elsewhere', () =>
    room(async ({ shift, assign, attend, board }) => {
      await attend(await assign(await shift(-1, 4), guardHere), -1);
      const { shifts } = await board(dispatcher);
      expect(shifts[0]?.guards[0]?.clock_in).not.toBeNull();
    }));

  test('supervisors of a site, who see its shifts alone, also when they ask for others', () =>
    room(async ({ shift, board }) => {
      const here = await shift(-1, 4);
      const there = await shift(-1, 4, { site: 'elsewhere' });
      const ids = async (person: Person) =>
        (await board(person, 'p_shift_ids => $1', [[here, there]])).shifts.map(({ id }) => id);
      expect(await ids(supervisorHere)).toEqual([here]);
      expect(await ids(supervisorElsewhere)).toEqual([there]);
      expect((await board(supervisorHere)).sites.map(({ name }) => name)).toEqual(['Here']);
    }));

  test.each([hr, guardHere, newcomer])('not for $name', (person) =>
    room(async ({ refusal }) => {
      expect(await refusal(person)).toBe(REFUSED);
    }),
  );
});
