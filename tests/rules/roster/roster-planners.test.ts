// Whom planners may choose and bring back under the rules of rosters, also many planners at once.
import type { PoolClient } from 'pg';
import pg from 'pg';
import { poolOf, type TestDatabase } from 'supabase-in-node/testing/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Callers } from '#backend/database/callers.ts';
import {
  bystander,
  dispatcher,
  guardElsewhere,
  guardHere,
  opsManager,
} from '#tests/support/people.ts';
import { days, rosterWriters } from '#tests/support/roster-writers.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;
const { addShift, assign, work } = rosterWriters(() => scene);

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(
    'delete from attendance; delete from assignments; delete from shifts; delete from certifications',
  );
});

describe('guards to choose from', () => {
  test('have the rules that they would break, of the post and of their other shifts', async () => {
    await rolledBack(database.owner, async (client) => {
      await work(client, [['01 14:00', 8]]);
      const shift = await addShift(client, ['02 06:00', 13]);
      await client.query(
        `insert into site_bans (site_id, user_id, reason) values ($1, $2, 'Asked to leave')`,
        [scene.sites.here, bystander.id],
      );
      await become(client, dispatcher);
      const { rows } = await client.query(
        `select full_name, conflict, problems from guard_availability($1, '2035-01-02 06:00Z', '2035-01-02 19:00Z', $2)
         where user_id = any ($3)`,
        [scene.sites.here, shift, [guardHere.id, bystander.id]],
      );
      const long = {
        rule: 'shift_hours',
        message: '12 h a shift at most, this one has 13 h',
        can_override: true,
      };
      expect(rows).toEqual([
        {
          full_name: 'bystander',
          conflict: null,
          problems: [long, { rule: 'ban', message: 'Banned from this site', can_override: false }],
        },
        {
          full_name: 'guard on the site',
          conflict: null,
          problems: [{ rule: 'rest', message: '8 h rest, 12 needed', can_override: true }, long],
        },
      ]);
    });
  });

  test('a deleted shift comes back with its override, or without the guard who is no longer allowed', async () => {
    await rolledBack(database.owner, async (client) => {
      const [first] = await work(client, [['01 14:00', 8]]);
      const next = await addShift(client, ['02 06:00', 8]);
      await assign(client, next, guardHere, 'Nobody else');
      await become(client, opsManager);
      const remove = async () =>
        (await client.query(`select delete_records('shifts', $1) as rows`, [[first, next]])).rows[0]
          .rows;
      const restore = async (deleted: unknown) =>
        (
          await client.query(`select * from restore_records('shifts', $1)`, [
            JSON.stringify(deleted),
          ])
        ).rows;
      expect(await restore(await remove())).toEqual([{ restored: 2, left_out: [] }]);
      const deleted = await remove();
      await assign(client, await addShift(client, ['02 20:00', 8]), guardHere);
      const [again] = await restore(deleted);
      expect(again).toEqual({
        restored: 2,
        left_out: ["guard on the site can't work this shift: 6 h rest, 12 needed."],
      });
    });
  });
});

describe('twenty planners at once', () => {
  const SESSIONS = 20;
  let pool: pg.Pool;
  let callers: Callers;

  beforeAll(() => {
    pool = poolOf(database.connection, SESSIONS);
    callers = new Callers(pool, () => {});
  });
  afterAll(() => pool.end());

  test('give one guard different days of a week: 48 hours come of it, and the others hear why', async () => {
    const ids = await committed(database, async (client) => {
      const shifts: string[] = [];
      for (let count = 0; count < SESSIONS; count += 1) {
        shifts.push(await addShift(client, days(15, 21)[count % 7] ?? ['15 06:00', 12]));
      }
      return shifts;
    });
    const answers = await Promise.all(
      ids.map(async (id, index) => {
        const person = index % 2 === 0 ? dispatcher : opsManager;
        try {
          await callers.run(
            { role: 'authenticated', claims: JSON.stringify(person.claims) },
            { text: 'select assign_guards($1, $2)', values: [id, `{${bystander.id}}`] },
          );
          return 'assigned';
        } catch (error) {
          if (!(error instanceof pg.DatabaseError)) throw error;
          return error.message;
        }
      }),
    );
    expect(answers.filter((answer) => answer === 'assigned')).toHaveLength(4);
    for (const answer of answers) {
      expect(answer).toMatch(
        /^(assigned|bystander (is already on an overlapping|can't work this) shift.+)$/,
      );
    }
  });
});

test('an assignment that waits for a decision about leave knows of it', async () => {
  const shift = await committed(database, (client) => addShift(client, ['25 06:00', 12]));
  const deciding = await database.owner.connect();
  try {
    await deciding.query('begin');
    await deciding.query(
      `update leave_requests set status = 'approved', start_date = '2035-01-25', end_date = '2035-01-25'
       where user_id = $1`,
      [guardElsewhere.id],
    );
    const assigned = database.owner.query<{ on_leave: boolean }>(
      'insert into assignments (shift_id, user_id) values ($1, $2) returning on_leave',
      [shift, guardElsewhere.id],
    );
    await expect
      .poll(async () => {
        const { rows } = await database.owner.query(
          `select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted
             and database = (select oid from pg_database where datname = current_database())`,
        );
        return rows[0].waiting;
      })
      .toBe(1);
    await deciding.query('commit');
    expect((await assigned).rows).toEqual([{ on_leave: true }]);
  } finally {
    deciding.release();
  }
});

/** Runs `work` on the database itself: the sessions of a test must see its rows. */
async function committed<T>(
  { owner }: TestDatabase,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await owner.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}
