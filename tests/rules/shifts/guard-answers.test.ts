// Guards confirm and decline their shifts; phones send an answer late, twice, or in the wrong order.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bystander,
  dispatcher,
  guardHere,
  opsManager,
  type Person,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query('delete from notices');
});

interface Story {
  answer: (answer: string, more?: { reason?: string; event?: string }) => Promise<string>;
  /** SQLSTATE of the refusal. */
  refusal: (
    answer: string,
    more?: { reason?: string; event?: string },
  ) => Promise<string | undefined>;
  assignment: () => Promise<Record<string, unknown>>;
  notices: () => Promise<{ user_id: string; title: string; body: string }[]>;
  asOwner: (sql: string) => Promise<void>;
}

/** The guard's shift that starts in two hours; everything is rolled back. */
const story = (work: (story: Story) => Promise<void>, person: Person = guardHere) =>
  rolledBack(database.owner, async (client) => {
    const id = scene.unattended.get(`${guardHere.id} here`);
    const asOwner = async (sql: string, values: unknown[] = []) => {
      await becomeOwner(client);
      const result = await client.query(sql, values);
      await become(client, person);
      return result;
    };
    const answer: Story['answer'] = async (kind, { reason, event } = {}) => {
      const { rows } = await client.query(
        'select answer_assignment($1, $2, $3, coalesce($4::uuid, gen_random_uuid())) as status',
        [id, kind, reason ?? null, event ?? null],
      );
      return rows[0].status;
    };
    await become(client, person);
    await work({
      answer,
      refusal: async (kind, more) =>
        attempt(client, () => answer(kind, more)).finally(() => become(client, person)),
      assignment: async () =>
        (await asOwner('select * from assignments where id = $1', [id])).rows[0],
      notices: async () =>
        (await asOwner('select user_id, title, body from notices order by user_id')).rows,
      asOwner: async (sql) => {
        await asOwner(sql, sql.includes('$1') ? [id] : []);
      },
    });
  });

describe('a guard', () => {
  test('confirms a shift, and takes it back until the start', () =>
    story(async ({ answer, assignment }) => {
      expect(await answer('confirm')).toBe('confirmed');
      expect(await assignment()).toMatchObject({
        status: 'confirmed',
        confirmed_at: expect.any(Date),
        counts_as_staffed: true,
      });
      expect(await answer('undo')).toBe('assigned');
      expect(await assignment()).toMatchObject({ status: 'assigned', confirmed_at: null });
    }));

  test('declines with a reason: the seat is free, and the site’s planners learn it once, and the operations managers', () =>
    story(async ({ answer, assignment, notices }) => {
      const event = crypto.randomUUID();
      expect(await answer('decline', { reason: ' My child is ill ', event })).toBe('cancelled');
      expect(await answer('decline', { reason: 'My child is ill', event })).toBe('cancelled');
      expect(await assignment()).toMatchObject({
        status: 'cancelled',
        declined_reason: 'My child is ill',
        declined_at: expect.any(Date),
        counts_as_staffed: false,
      });
      expect((await notices()).map(({ user_id }) => user_id)).toEqual(
        [supervisorHere.id, dispatcher.id, opsManager.id].sort(),
      );
      expect((await notices())[0]).toMatchObject({
        title: 'guard on the site declined a shift',
        body: expect.stringMatching(/^Here, .+ Reason: My child is ill$/),
      });
    }));

  test('can’t decline without a reason, or take back a decline', () =>
    story(async ({ answer, refusal }) => {
      expect(await refusal('decline', { reason: '  ' })).toBe('23514');
      await answer('decline', { reason: 'Ill' });
      expect(await refusal('undo')).toBe('PT409');
      expect(await refusal('confirm')).toBe('PT409');
    }));

  test('can’t answer after the start, but a confirmation that arrives late is no error', () =>
    story(async ({ answer, refusal, asOwner, assignment }) => {
      await asOwner(`update assignments set status = 'cancelled' where id <> $1`);
      await asOwner(`update shifts set start_time = now() - interval '1 minute'
        where id = (select shift_id from assignments where id = $1)`);
      expect(await refusal('decline', { reason: 'Ill' })).toBe('PT409');
      expect(await refusal('undo')).toBe('PT409');
      expect(await answer('confirm')).toBe('assigned');
      expect(await assignment()).toMatchObject({ status: 'assigned', confirmed_at: null });
    }));

  test('learns that the shift went to someone else', () =>
    story(async ({ refusal, asOwner }) => {
      await asOwner('delete from assignments where id = $1');
      expect(await refusal('confirm')).toBe('PT404');
    }));
});

describe('an answer', () => {
  test('counts once per event id, and the id is of this answer only', () =>
    story(async ({ answer, refusal }) => {
      const event = crypto.randomUUID();
      expect(await answer('confirm', { event })).toBe('confirmed');
      expect(await answer('undo')).toBe('assigned');
      // The first answer, sent again after a lost response.
      expect(await answer('confirm', { event })).toBe('assigned');
      expect(await refusal('decline', { reason: 'Ill', event })).toBe('23505');
    }));

  test('is the guard’s own', () =>
    story(async ({ refusal }) => {
      expect(await refusal('confirm')).toBe('PT404');
    }, bystander));

  test('needs an answer and an id', () =>
    rolledBack(database.owner, async (client) => {
      await become(client, guardHere);
      for (const args of ['null, null', `gen_random_uuid(), 'maybe'`, `null, 'confirm'`]) {
        expect(await attempt(client, () => client.query(`select answer_assignment(${args})`))).toBe(
          '22023',
        );
        await become(client, guardHere);
      }
    }));
});
