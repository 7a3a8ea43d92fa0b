// Photos of people: who sets, sees and removes them, and what a contact of a client sees of the guards on post.
import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  bystander,
  contactElsewhere,
  contactHere,
  formerContact,
  guardElsewhere,
  guardHere,
  hr,
  type Person,
  people,
} from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

const MANAGERS = ['admin', 'ops_manager', 'hr'];
/** Those who read the profiles of others. */
const READERS = [...MANAGERS, 'supervisor', 'dispatcher', 'finance'];
const has = ({ closed, roles }: Person, some: string[]) =>
  !closed && roles.some((role) => some.includes(role));

const STORE = `insert into storage.objects (bucket_id, name, version) values ('photos', $1, gen_random_uuid())`;
const SEEN = `select name from storage.objects where bucket_id = 'photos' order by name`;
const newPath = () => `${randomUUID()}.jpg`;

/** A file, by the owner of the database. @returns its path */
async function stored(client: PoolClient): Promise<string> {
  const path = newPath();
  await client.query(STORE, [path]);
  return path;
}

/** @returns the path of the person's new photo */
async function photoOf(client: PoolClient, person: Person): Promise<string> {
  const path = await stored(client);
  await client.query('update profiles set photo_path = $2 where id = $1', [person.id, path]);
  return path;
}

const set = async (client: PoolClient, person: Person, path: string | null) =>
  (await client.query('select set_person_photo($1, $2) as former', [person.id, path])).rows[0]
    ?.former;

const seenBy = async (client: PoolClient, person: Person): Promise<string[]> => {
  await become(client, person);
  const { rows } = await client.query<{ name: string }>(SEEN);
  await becomeOwner(client);
  return rows.map(({ name }) => name);
};

describe.each(people.filter(({ claims }) => claims !== null))('$name', (person) => {
  test('sees and sets photos as the role allows', async () => {
    await rolledBack(database.owner, async (client) => {
      if (person.signupPolicy)
        await client.query('update private.settings set signup_policy = $1', [person.signupPolicy]);
      const theirs = await photoOf(client, bystander);
      const loose = await stored(client);
      const seen = await seenBy(client, person);
      expect(seen.includes(theirs)).toBe(has(person, READERS));
      // One that no person has, for those who replace photos.
      expect(seen.includes(loose)).toBe(has(person, MANAGERS));

      await become(client, person);
      const isManager = has(person, MANAGERS);
      const path = newPath();
      const done = isManager ? undefined : REFUSED;
      expect(await attempt(client, () => client.query(STORE, [path]))).toBe(done);
      await become(client, person);
      expect(await attempt(client, () => set(client, bystander, null))).toBe(done);
      await become(client, person);
      await client.query(`delete from storage.objects where name = $1`, [loose]);
      await becomeOwner(client);
      const left = await client.query(`select from storage.objects where name = $1`, [loose]);
      expect(left.rowCount).toBe(isManager ? 0 : 1);
    });
  });
});

test('a guard sees their own photo alone', async () => {
  await rolledBack(database.owner, async (client) => {
    const own = await photoOf(client, guardHere);
    await photoOf(client, bystander);
    expect(await seenBy(client, guardHere)).toEqual([own]);
    await become(client, guardHere);
    const direct = 'update profiles set photo_path = null where id = $1';
    expect(await attempt(client, () => client.query(direct, [guardHere.id]))).toBe(REFUSED);
  });
});

describe('set_person_photo', () => {
  test('replaces and removes, says which file is no longer used, and is in the activity log', async () => {
    await rolledBack(database.owner, async (client) => {
      const [first, second] = [await stored(client), await stored(client)];
      await become(client, hr);
      expect(await set(client, guardHere, first)).toBeNull();
      expect(await set(client, guardHere, second)).toBe(first);
      expect(await set(client, guardHere, null)).toBe(second);
      await becomeOwner(client);
      const { rows } = await client.query(
        `select actor_id, old_values ->> 'photo_path' as before, new_values ->> 'photo_path' as after
         from audit_log where table_name = 'profiles' and row_id = $1 and action = 'update' and new_values ? 'photo_path'`,
        [guardHere.id],
      );
      expect(rows).toHaveLength(3);
      expect(rows).toEqual(
        expect.arrayContaining([
          { actor_id: hr.id, before: null, after: first },
          { actor_id: hr.id, before: first, after: second },
          { actor_id: hr.id, before: second, after: null },
        ]),
      );
    });
  });

  test.each([
    ['a file that was not stored', guardHere, newPath(), 'PT409'],
    ['a person who does not exist', { ...guardHere, id: randomUUID() }, null, 'PT404'],
    ['a contact of a client', contactHere, null, 'PT404'],
  ])('refuses %s', async (_, person, path, code) => {
    await rolledBack(database.owner, async (client) => {
      await become(client, admin);
      expect(await attempt(client, () => set(client, person, path))).toBe(code);
    });
  });

  test('takes no photo of another person, and no name that tells whose it is', async () => {
    await rolledBack(database.owner, async (client) => {
      const theirs = await photoOf(client, bystander);
      const named = `${guardHere.id}/face.jpg`;
      await client.query(STORE, [named]);
      await become(client, admin);
      expect(await attempt(client, () => set(client, guardHere, theirs))).toBe('23505');
      await become(client, admin);
      expect(await attempt(client, () => set(client, guardHere, named))).toBe('23514');
    });
  });
});

test('the file of a photo that is in use can’t be removed', async () => {
  await rolledBack(database.owner, async (client) => {
    const path = await photoOf(client, guardHere);
    await become(client, hr);
    const remove = () => client.query('delete from storage.objects where name = $1', [path]);
    expect((await remove()).rowCount).toBe(0);
    await set(client, guardHere, null);
    expect((await remove()).rowCount).toBe(1);
  });
});

describe('a contact of a client', () => {
  /** One guard clocks in at the contact's site and one elsewhere; one at the contact's site has not. */
  const onPost = (work: (client: PoolClient, path: string) => Promise<void>) =>
    rolledBack(database.owner, async (client) => {
      await client.query(LENIENT_RULES);
      await client.query('delete from post_courses');
      // Duties of the scene, which may still be open.
      await client.query(
        `set session_replication_role = replica;
         delete from time_segments; delete from attendance; delete from assignments;
         set session_replication_role = origin`,
      );
      const path = await photoOf(client, guardHere);
      await photoOf(client, bystander);
      await photoOf(client, guardElsewhere);
      for (const [person, site, isIn] of [
        [guardHere, 'here', true],
        [bystander, 'here', false],
        [guardElsewhere, 'elsewhere', true],
      ] as const) {
        await client.query(
          `with shift as (
             insert into shifts (site_id, start_time, end_time)
             values ($1, now() - interval '30 minutes', now() + interval '1 hour') returning id
           ), made as (
             insert into assignments (shift_id, user_id) select id, $2 from shift returning id
           )
           insert into attendance (assignment_id, clock_in_at, clock_in_gps)
           select id, now() - interval '20 minutes', '6.3,-10.8' from made where $3`,
          [scene.sites[site], person.id, isIn],
        );
      }
      await work(client, path);
    });

  const now = async (client: PoolClient, person: Person) => {
    await become(client, person);
    const { rows } = await client.query('select guards from client_now()');
    await becomeOwner(client);
    return rows.flatMap(({ guards }) => guards);
  };

  test('sees the photo of the guard who is on post at the own site, and of nobody else', () =>
    onPost(async (client, path) => {
      const guards = await now(client, contactHere);
      expect(guards).toMatchObject([{ name: 'guard', photo: path }]);
      expect(JSON.stringify(guards)).not.toContain(guardHere.id);
      expect(await seenBy(client, contactHere)).toEqual([path]);
      expect(await seenBy(client, contactElsewhere)).not.toContain(path);
      expect(await seenBy(client, formerContact)).toEqual([]);
    }));

  test('no longer sees it after the guard has clocked out', () =>
    onPost(async (client) => {
      await client.query(
        `update attendance r set clock_out_at = now(), clock_out_gps = '6.3,-10.8'
         from assignments a where a.id = r.assignment_id and a.user_id = $1 and r.clock_out_at is null`,
        [guardHere.id],
      );
      expect(await now(client, contactHere)).toEqual([]);
      expect(await seenBy(client, contactHere)).toEqual([]);
    }));

  test('sees a guard without a photo by name alone', () =>
    onPost(async (client) => {
      await client.query('update profiles set photo_path = null where id = $1', [guardHere.id]);
      expect(await now(client, contactHere)).toMatchObject([{ name: 'guard', photo: null }]);
    }));
});
