// Offers of an empty post to several guards: the first yes gets it.
import pg from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { bystander, dispatcher, guardElsewhere, guardHere, hr } from '#tests/support/people.ts';
import { emptyPosts, NOBODY_ON_DUTY, ReplacementStory } from '#tests/support/replacement-story.ts';
import type { Scene } from '#tests/support/scene.ts';
import { rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await emptyPosts());
});

const story = (work: (story: ReplacementStory) => Promise<void>) =>
  rolledBack(database.owner, (client) => work(new ReplacementStory(client, scene)));

describe('an offer', () => {
  test('to several gives the seat to the first yes, and tells the others', () =>
    story(async (s) => {
      const shift = await s.shift(2);
      const [here, theirs, elsewhere] = await s.offer(shift, guardHere, bystander, guardElsewhere);
      expect(await s.told(guardHere)).toEqual(['Can you come?']);
      expect(await s.answer(bystander, theirs, false)).toMatchObject({ status: 'declined' });
      expect(await s.answer(guardHere, here, true)).toMatchObject({ status: 'approved' });
      expect(await s.staffed(shift)).toEqual([guardHere.id]);
      expect(await s.told(guardElsewhere)).toContain('The shift has gone to another guard');
      expect(await s.told(bystander)).toEqual(['Can you come?']);
      expect(await s.told(dispatcher)).toEqual([`${guardHere.name} is coming`]);
      // Too late is an answer, and is kept.
      expect(await s.answer(guardElsewhere, elsewhere, true)).toEqual({
        status: 'lapsed',
        answer: 'yes',
        decision_note: 'The shift has gone to another guard.',
      });
      // A no that becomes a yes is too late as well.
      expect(await s.answer(bystander, theirs, true)).toMatchObject({ status: 'lapsed' });
      expect(await s.staffed(shift)).toEqual([guardHere.id]);
    }));

  test('is sent at once, not with the notices of the next minutes', () =>
    story(async (s) => {
      await s.offer(await s.shift(2), guardHere);
      expect(
        await s.owner(
          'select distinct next_at <= now() as is_due from private.notice_deliveries where user_id = $1',
          [guardHere.id],
        ),
      ).toEqual([{ is_due: true }]);
    }));

  test('counts once, however often it is asked or answered', () =>
    story(async (s) => {
      const shift = await s.shift(2, { seats: 2 });
      const [first] = await s.offer(shift, guardHere);
      expect(await s.offer(shift, guardHere)).toEqual([first]);
      for (const _ of [1, 2, 3]) {
        expect(await s.answer(guardHere, first, true)).toMatchObject({ status: 'approved' });
      }
      // The seat is taken: declining it is another matter.
      expect(await s.answer(guardHere, first, false)).toMatchObject({ status: 'approved' });
      expect(await s.staffed(shift)).toEqual([guardHere.id]);
    }));

  test('for the second seat stays open', () =>
    story(async (s) => {
      const shift = await s.shift(2, { seats: 2 });
      const [here, theirs] = await s.offer(shift, guardHere, bystander);
      await s.answer(guardHere, here, true);
      expect(await s.answer(bystander, theirs, true)).toMatchObject({ status: 'approved' });
      expect(await s.staffed(shift)).toEqual([guardHere.id, bystander.id].sort());
    }));

  test('is refused with the rule when the guard may no longer come', () =>
    story(async (s) => {
      const shift = await s.shift(30);
      const [asked] = await s.offer(shift, guardHere);
      await s.assign(await s.shift(15), guardHere);
      expect(await s.answer(guardHere, asked, true)).toEqual({
        status: 'lapsed',
        answer: 'yes',
        decision_note: "You can't take this shift: 7 h rest, 12 needed.",
      });
      expect(await s.staffed(shift)).toEqual([]);
    }));

  test('closes when a planner assigns a guard, who gets no notice of it', () =>
    story(async (s) => {
      const shift = await s.shift(2);
      const [here] = await s.offer(shift, guardHere, bystander);
      await s.assign(shift, bystander);
      expect(await s.told(bystander)).toEqual(['Can you come?']);
      expect(await s.answer(guardHere, here, true)).toMatchObject({ status: 'lapsed' });
    }));

  test('needs a free seat and people who may come, all or none', () =>
    story(async (s) => {
      const shift = await s.shift(30);
      await s.assign(await s.shift(15), bystander);
      const people = [guardHere.id, bystander.id, hr.id];
      const message = await s.refused(dispatcher, 'select offer_shift($1, $2)', [shift, people]);
      expect(message).toMatch(/^Nothing was offered: 2 of 3 rows can't be\./);
      expect(message).toContain('7 h rest, 12 needed.');
      expect(await s.owner('select * from offers')).toEqual([]);
      await s.assign(shift, guardHere);
      expect(
        await s.refused(dispatcher, 'select offer_shift($1, $2)', [shift, [guardElsewhere.id]]),
      ).toBe('Every post of this shift has been given.');
    }));

  test('is answered by the guard alone, who sees it while the shift is not over', () =>
    story(async (s) => {
      const shift = await s.shift(-1);
      const [asked] = await s.offer(shift, guardHere);
      for (const person of [bystander, dispatcher]) {
        expect(await s.refused(person, 'select answer_offer($1, true)', [asked])).toBe(
          'This offer no longer exists.',
        );
      }
      const mine = 'select id, status, is_free from offers_to_me()';
      expect(await s.as(guardHere, mine)).toEqual([{ id: asked, status: 'asked', is_free: true }]);
      expect(await s.as(bystander, mine)).toEqual([]);
    }));

  test('ends with the shift, and bids and swaps at its start', () =>
    story(async (s) => {
      const running = await s.shift(-1);
      const coming = await s.shift(2);
      const over = await s.shift(-9);
      for (const [kind, shift] of [
        ['offer', running],
        ['offer', over],
        ['bid', running],
        ['bid', coming],
      ]) {
        await s.owner(
          `insert into offers (kind, shift_id, user_id, status, site_id)
           select $1, id, $3, case $1 when 'bid' then 'open' else 'asked' end, site_id from shifts where id = $2`,
          [kind, shift, guardHere.id],
        );
      }
      expect(await s.owner('select private.close_due_offers() as closed')).toEqual([{ closed: 2 }]);
      expect(await s.owner('select private.close_due_offers() as closed')).toEqual([{ closed: 0 }]);
      expect(
        await s.owner(`select kind, shift_id from offers where status = 'lapsed' order by kind`),
      ).toEqual([
        { kind: 'bid', shift_id: running },
        { kind: 'offer', shift_id: over },
      ]);
      expect(await s.told(guardHere)).toEqual(['You did not get the shift']);
    }));
});

test('two guards who say yes at once: one gets the seat, the other gets the reason', async () => {
  const { owner } = database;
  for (let round = 0; round < 5; round += 1) {
    const { rows } = await owner.query<{ id: string }>(
      `insert into shifts (site_id, start_time, end_time)
       values ($1, now() + make_interval(days => $2), now() + make_interval(days => $2, hours => 8)) returning id`,
      [scene.sites.here, 30 + 7 * round],
    );
    const shift = rows[0]?.id;
    const guards = [guardHere, bystander];
    const offers = await owner.query<{ id: string }>(
      `insert into offers (kind, shift_id, user_id, status, site_id)
       select 'offer', $1, g.id, 'asked', $2 from unnest($3::uuid[]) with ordinality g (id, place)
       order by place returning id`,
      [shift, scene.sites.here, guards.map(({ id }) => id)],
    );
    const statuses = await Promise.all(
      guards.map(async (guard, index) => {
        const client = new pg.Client(database.connection);
        await client.connect();
        try {
          await client.query('begin');
          await client.query(
            `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`,
            [JSON.stringify(guard.claims)],
          );
          const { rows: answers } = await client.query<{ status: string }>(
            'select status from answer_offer($1, true)',
            [offers.rows[index]?.id],
          );
          await client.query('commit');
          return answers[0]?.status;
        } finally {
          await client.end();
        }
      }),
    );
    expect(statuses.sort()).toEqual(['approved', 'lapsed']);
    const { rowCount } = await owner.query('select from assignments where shift_id = $1', [shift]);
    expect(rowCount).toBe(1);
  }
  await owner.query(NOBODY_ON_DUTY);
});
