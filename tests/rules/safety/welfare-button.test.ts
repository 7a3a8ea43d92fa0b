// The button of a push message answers a welfare check without a session.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { guardHere } from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { become, call, refusal } from '#tests/support/session.ts';
import { type WelfareStory, welfareScene, welfareStory } from '#tests/support/welfare-story.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await welfareScene());
});

const story = (work: (story: WelfareStory) => Promise<void>, setUp: string) =>
  welfareStory(database.owner, scene, work, setUp);

describe('the button of a push message', () => {
  const KEYS = `insert into private.push_keys (public_key, private_key) values ('public', 'private') on conflict do nothing`;
  const VISITOR = { claims: null };
  const answer = (client: PoolClient, check: unknown, token: unknown, minutesAgo = 0) =>
    call<number>(
      client,
      'answer_pushed_check($1, $2, now() - make_interval(mins => $3), null, 0)',
      [check, token, minutesAgo],
    );

  async function asked({ clock, look, owner, later }: WelfareStory) {
    await clock('in');
    await look();
    await later(61);
    expect(await look()).toBe('asked');
    const [notice] = await owner(
      `select private.welfare_answer(dedupe_key) as answer from notices where kind = 'welfare'`,
    );
    return z
      .object({
        userId: z.string(),
        assignmentId: z.string(),
        checkId: z.string(),
        token: z.string(),
      })
      .parse(notice?.answer);
  }

  test('answers without a session, once however often it arrives', () =>
    story(async (s) => {
      const { userId, assignmentId, checkId, token } = await asked(s);
      expect([userId, assignmentId]).toEqual([guardHere.id, s.assignment]);
      await become(s.client, VISITOR);
      expect(await answer(s.client, checkId, token)).toBe(1);
      expect(await answer(s.client, checkId, token)).toBe(0);
      expect(await s.owner('select way from welfare_checks where answered_at is not null')).toEqual(
        [{ way: 'phone' }],
      );
      // Nothing is left to press.
      expect(
        await s.owner(
          `select private.welfare_answer(dedupe_key) as answer from notices where kind = 'welfare'`,
        ),
      ).toEqual([{ answer: null }]);
    }, KEYS));

  test('closes the alert when the answer was stored in time and arrives late', () =>
    story(async (s) => {
      const { checkId, token } = await asked(s);
      await s.later(6);
      await s.look();
      await s.later(5);
      await s.look();
      await s.later(5);
      expect(await s.look()).toBe('alert');
      await become(s.client, VISITOR);
      expect(await answer(s.client, checkId, token, 10)).toBe(1);
      expect(await s.alerts()).toMatchObject([{ outcome: 'answered', open: false }]);
    }, KEYS));

  test.each([
    ['a wrong token', (own: { checkId: string; token: string }) => [own.checkId, `${own.token}0`]],
    ['no token', (own: { checkId: string }) => [own.checkId, null]],
    ['the token of another check', (own: { token: string }) => [crypto.randomUUID(), own.token]],
  ])('answers nothing with %s', (_what, spoil) =>
    story(async (s) => {
      const [check, token] = spoil(await asked(s));
      await become(s.client, VISITOR);
      expect((await refusal(s.client, () => answer(s.client, check, token))).message).toBe(
        'This check no longer exists.',
      );
    }, KEYS),
  );
});
