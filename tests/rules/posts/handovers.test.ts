// What guards leave for the next at a post, sent late, twice or by another guard.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bystander,
  dispatcher,
  guardElsewhere,
  guardHere,
  opsManager,
  type Person,
  supervisorHere,
} from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(`${LENIENT_RULES}; delete from handover_notes; delete from handovers;
    delete from equipment; delete from notices; delete from clock_events; delete from attendance;
    delete from assignments where starts_at < now()`);
});

interface Story {
  /** As the person; guardHere until then. */
  as: (person: Person) => Promise<void>;
  rows: (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  asOwner: (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  refusal: (sql: string, values?: unknown[]) => Promise<string | undefined>;
}

const story = (work: (story: Story) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    let person: Person = guardHere;
    const rows: Story['rows'] = async (sql, values = []) => (await client.query(sql, values)).rows;
    const as: Story['as'] = async (next) => {
      person = next;
      await become(client, next);
    };
    await as(guardHere);
    await work({
      as,
      rows,
      asOwner: async (sql, values) => {
        await becomeOwner(client);
        const found = await rows(sql, values);
        await become(client, person);
        return found;
      },
      refusal: async (sql, values) => {
        const code = await attempt(client, () => rows(sql, values));
        await become(client, person);
        return code;
      },
    });
  });

const own = (person: Person) => scene.unattended.get(`${person.id} here`);
const NOTE = 'select leave_note($1, $2, $3, $4)';
const TAKE = 'select take_over($1, $2, $3)';

describe('a note', () => {
  test('reaches the next guard once, however often it is sent, for three days', () =>
    story(async ({ as, rows, asOwner }) => {
      const id = crypto.randomUUID();
      for (let n = 0; n < 2; n += 1) {
        await rows(NOTE, [id, own(guardHere), ' Key is with Musa. ', 'now']);
      }
      await as(bystander);
      const [shown] = await rows('select notes from my_handover()');
      expect(shown?.notes).toMatchObject([
        { id, note: 'Key is with Musa.', guard: 'guard on the site' },
      ]);
      await asOwner(`update handover_notes set written_at = now() - interval '73 hours'`);
      expect((await rows('select notes from my_handover()'))[0]?.notes).toEqual([]);
    }));

  test('is of one’s own shift, has a text, and keeps its owner', () =>
    story(async ({ as, rows, refusal }) => {
      const id = crypto.randomUUID();
      await rows(NOTE, [id, own(guardHere), 'Mine', 'now']);
      expect(await refusal(NOTE, [crypto.randomUUID(), own(bystander), 'x', 'now'])).toBe('PT404');
      expect(await refusal(NOTE, [crypto.randomUUID(), own(guardHere), '  ', 'now'])).toBe('22023');
      expect(await refusal(NOTE, [id, own(guardHere), 'x', 'infinity'])).toBe('22023');
      await as(bystander);
      expect(await refusal(NOTE, [id, own(bystander), 'Not mine', 'now'])).toBe('23505');
    }));

  test('is not for guards of other sites', () =>
    story(async ({ as, rows }) => {
      await rows(NOTE, [crypto.randomUUID(), own(guardHere), 'Mine', 'now']);
      await as(guardElsewhere);
      expect(await rows('select * from handover_notes')).toEqual([]);
    }));
});

describe('equipment', () => {
  const withEquipment = (work: (story: Story, ids: [string, string]) => Promise<void>) =>
    story(async (told) => {
      await told.as(opsManager);
      const found = await told.rows(
        `insert into equipment (site_id, post_id, name) values ($1, null, 'Radio'), ($1, $2, 'Gate key')
         returning id`,
        [scene.sites.here, scene.posts.here],
      );
      await told.as(guardHere);
      await work(told, [String(found[0]?.id), String(found[1]?.id)]);
    });

  test('that is missing is noted, and the site’s planners learn it once', () =>
    withEquipment(async ({ rows, asOwner }, [radio, key]) => {
      const ticks = JSON.stringify([
        { equipment_id: radio, name: 'Radio', has: true },
        { equipment_id: key, name: 'Gate key', has: false },
      ]);
      const id = crypto.randomUUID();
      await rows(TAKE, [id, own(guardHere), ticks]);
      await rows(TAKE, [id, own(guardHere), ticks]);
      expect(await asOwner('select id, missing from handovers')).toEqual([
        { id, missing: 'Gate key' },
      ]);
      const notices = await asOwner('select user_id, body from notices order by user_id');
      expect(notices).toEqual(
        [supervisorHere, dispatcher].map(({ id: user_id }) => ({
          user_id,
          body: 'guard on the site did not find: Gate key',
        })),
      );
      const [shown] = await rows('select equipment, taken_at from my_handover()');
      expect(shown?.taken_at).toBeInstanceOf(Date);
      expect(shown?.equipment).toMatchObject([{ name: 'Gate key' }, { name: 'Radio' }]);
    }));

  test('left at the end of the shift says how many are there and what is damaged, and the next guard reads it', () =>
    withEquipment(async ({ as, rows, asOwner }, [radio, key]) => {
      const ticks = JSON.stringify([
        { equipment_id: radio, name: 'Radio ×2', has: false, count: 1, damage: 'Aerial is bent' },
        { equipment_id: key, name: 'Gate key', has: true, count: 1 },
      ]);
      const id = crypto.randomUUID();
      for (let n = 0; n < 2; n += 1) {
        await rows(`select take_over($1, $2, $3, now(), 'left')`, [id, own(guardHere), ticks]);
      }
      expect(await asOwner('select side, missing, damaged from handovers')).toEqual([
        { side: 'left', missing: 'Radio ×2 (1 there)', damaged: 'Radio ×2: Aerial is bent' },
      ]);
      const bodies = (await asOwner('select distinct title, body from notices')).map(
        ({ title, body }) => `${title} / ${body}`,
      );
      expect(bodies).toEqual([
        'Equipment missing: Here / guard on the site did not leave: Radio ×2 (1 there). Damaged: Radio ×2: Aerial is bent',
      ]);
      expect(await rows('select taken_at, found from my_handover()')).toEqual([
        { taken_at: null, found: null },
      ]);
      await as(bystander);
      const [shown] = await rows('select found from my_handover()');
      expect(shown?.found).toMatchObject({ guard: 'guard on the site', ticks: JSON.parse(ticks) });
    }));

  test('is asked for two hours after the clock-out, until it is left', () =>
    withEquipment(async ({ rows, asOwner }, [radio]) => {
      const shift = own(guardHere);
      const asked = () => rows('select assignment_id, is_over from my_handover() where is_over');
      await asOwner(
        `insert into attendance (assignment_id, user_id, clock_in_at, clock_out_at)
         select id, user_id, now() - interval '9 hours', now() - interval '119 minutes'
         from assignments where id = $1`,
        [shift],
      );
      expect(await asked()).toEqual([{ assignment_id: shift, is_over: true }]);
      await asOwner(`update attendance set clock_out_at = now() - interval '121 minutes'`);
      expect(await asked()).toEqual([]);
      await asOwner(`update attendance set clock_out_at = now() - interval '5 minutes'`);
      expect(await asked()).toHaveLength(1);
      const ticks = JSON.stringify([{ equipment_id: radio, name: 'Radio', has: true, count: 1 }]);
      await rows(`select take_over($1, $2, $3, now(), 'left')`, [
        crypto.randomUUID(),
        shift,
        ticks,
      ]);
      expect(await asked()).toEqual([]);
    }));

  test('is taken or left', () =>
    withEquipment(async ({ refusal }, [radio]) => {
      const ticks = JSON.stringify([{ equipment_id: radio, name: 'Radio', has: true }]);
      for (const side of ['given', null]) {
        expect(
          await refusal('select take_over($1, $2, $3, now(), $4)', [
            crypto.randomUUID(),
            own(guardHere),
            ticks,
            side,
          ]),
        ).toBe('22023');
      }
    }));

  test.each([
    '[]',
    '{}',
    'null',
    '[{"equipment_id":"x","name":"Radio","has":true}]',
    '[{"equipment_id":"00000000-0000-4000-8000-000000000000","name":"Radio","has":"yes"}]',
    '[1]',
    '[{"equipment_id":"00000000-0000-4000-8000-000000000000","name":"Radio","has":true,"count":"2"}]',
    '[{"equipment_id":"00000000-0000-4000-8000-000000000000","name":"Radio","has":true,"count":-1}]',
    '[{"equipment_id":"00000000-0000-4000-8000-000000000000","name":"Radio","has":true,"damage":""}]',
  ])('is ticked in a list, not %s', (ticks) =>
    story(async ({ refusal }) => {
      expect(await refusal(TAKE, [crypto.randomUUID(), own(guardHere), ticks])).toBe('22023');
    }),
  );
});
