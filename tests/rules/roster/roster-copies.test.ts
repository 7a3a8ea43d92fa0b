// The guards of a week, proposed for the open seats of another one.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  dispatcher,
  guardElsewhere,
  guardHere,
  hr,
  type Person,
  supervisorHere,
} from '#tests/support/people.ts';
import { rosterWriters } from '#tests/support/roster-writers.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;
const { addShift, assign } = rosterWriters(() => scene);

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query('delete from attendance; delete from assignments; delete from shifts');
});

type Copy = { shift_id: string; user_id: string; obstacle: string | null };

async function copies(client: PoolClient, person: Person = dispatcher): Promise<Copy[]> {
  await become(client, person);
  const { rows } = await client.query<Copy>(
    `select c.shift_id, c.user_id, c.obstacle
     from jsonb_to_recordset(roster_copies('2035-01-01', '2035-01-08'))
       as c (shift_id uuid, user_id uuid, obstacle text, start timestamptz)
     order by c.start, c.obstacle`,
  );
  await becomeOwner(client);
  return rows;
}

/** Shifts at the same post a week apart, for one guard. @returns their ids */
async function twoWeeks(client: PoolClient, day: number, guard: Person = guardHere) {
  const before = await addShift(client, [`0${day} 06:00`, 12]);
  const after = await addShift(client, [`${String(day + 7).padStart(2, '0')} 06:00`, 12]);
  await assign(client, before, guard);
  return { before, after };
}

describe('a copied week', () => {
  test('has the guards of the same posts and times, also of a draft', () =>
    rolledBack(database.owner, async (client) => {
      const { after } = await twoWeeks(client, 1);
      const drafted = await addShift(client, ['02 06:00', 12]);
      const next = await addShift(client, ['09 06:00', 12]);
      await addShift(client, ['10 18:00', 12]);
      await become(client, dispatcher);
      await client.query('select apply_roster($1)', [
        JSON.stringify([{ shift_id: drafted, user_id: guardElsewhere.id, change: 'assign' }]),
      ]);
      expect(await copies(client)).toEqual([
        { shift_id: after, user_id: guardHere.id, obstacle: null },
        { shift_id: next, user_id: guardElsewhere.id, obstacle: null },
      ]);
    }));

  test('also has who was on leave or did not come, and nobody twice', () =>
    rolledBack(database.owner, async (client) => {
      const { before, after } = await twoWeeks(client, 1);
      await client.query(`update assignments set status = 'no_show' where shift_id = $1`, [before]);
      const one = { shift_id: after, user_id: guardHere.id, obstacle: null };
      expect(await copies(client)).toEqual([one]);
      await assign(client, after);
      expect(await copies(client)).toEqual([]);
    }));

  test('says why somebody is not copied', () =>
    rolledBack(database.owner, async (client) => {
      const rested = await twoWeeks(client, 1);
      const taken = await twoWeeks(client, 3);
      const far = await twoWeeks(client, 5, guardElsewhere);
      await assign(client, await addShift(client, ['07 20:00', 8]));
      await assign(client, taken.after, guardElsewhere);
      await client.query(`update profiles set home_position = '6.45,3.39' where id = $1`, [
        guardElsewhere.id,
      ]);
      await client.query('update sites set latitude = 6.3, longitude = -10.8');
      expect((await copies(client)).map(({ shift_id, obstacle }) => [shift_id, obstacle])).toEqual([
        [rested.after, '2 h rest, 12 needed'],
        [taken.after, 'The shift has its guards'],
        [far.after, 'Lives 1569 km away, 60 km at most'],
      ]);
    }));

  test('is within the week’s hours, with the copies before', () =>
    rolledBack(database.owner, async (client) => {
      const weeks = [];
      for (const day of [1, 2, 3, 4]) weeks.push(await twoWeeks(client, day));
      await assign(client, await addShift(client, ['13 06:00', 6]));
      expect((await copies(client)).map(({ obstacle }) => obstacle)).toEqual([
        null,
        null,
        null,
        '53 h a week at most, this would make 54 h',
      ]);
    }));

  test('is for planners of the sites', () =>
    rolledBack(database.owner, async (client) => {
      await twoWeeks(client, 1);
      expect(await copies(client, supervisorHere)).toHaveLength(1);
      for (const person of [hr, guardHere]) {
        await become(client, person);
        const error = await refusal(client, () =>
          client.query(`select * from roster_copies('2035-01-01', '2035-01-08')`),
        );
        expect(error.code).toBe('42501');
      }
      await become(client, dispatcher);
      const same = await refusal(client, () =>
        client.query(`select * from roster_copies('2035-01-01', '2035-01-01')`),
      );
      expect(same.code).toBe('23514');
    }));
});
