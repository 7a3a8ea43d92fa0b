// Offers of a seat that end without an answer: withdrawn, or no longer needed.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bystander,
  dispatcher,
  guardHere,
  hr,
  opsManager,
  supervisorElsewhere,
} from '#tests/support/people.ts';
import { emptyPosts, ReplacementStory } from '#tests/support/replacement-story.ts';
import type { Scene } from '#tests/support/scene.ts';
import { rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await emptyPosts());
});

const story = (work: (story: ReplacementStory) => Promise<void>) =>
  rolledBack(database.owner, (client) => work(new ReplacementStory(client, scene)));

describe('offers that nobody needs any more close, and their guards get a notice', () => {
  const outcome = 'select status, decision_note from offers';
  const lapsed = [{ status: 'lapsed', decision_note: 'The shift has gone to another guard.' }];

  test('when a no-show is undone, or the guard comes after all', () =>
    story(async (s) => {
      const shift = await s.shift(-1);
      const absent = await s.assign(shift, bystander);
      const mark = `select mark_no_show($1, 'Phone is off')`;
      await s.as(dispatcher, mark, [absent]);
      await s.offer(shift, guardHere);
      await s.as(dispatcher, 'select undo_no_show($1)', [absent]);
      expect(await s.owner(outcome)).toEqual(lapsed);
      expect((await s.told(guardHere)).sort()).toEqual([
        'Can you come?',
        'The shift has gone to another guard',
      ]);
      await s.owner('delete from offers');
      await s.as(dispatcher, mark, [absent]);
      await s.offer(shift, guardHere);
      await s.as(
        bystander,
        `select record_clock_event(gen_random_uuid(), 'in', $1, now(), p_gps => '6.3,-10.8')`,
        [absent],
      );
      expect(await s.owner(outcome)).toEqual(lapsed);
    }));

  test('when the shift needs fewer guards', () =>
    story(async (s) => {
      const shift = await s.shift(2, { seats: 2 });
      await s.assign(shift, bystander);
      await s.offer(shift, guardHere);
      await s.as(dispatcher, `update shifts set notes = 'Gate' where id = $1`, [shift]);
      expect(await s.owner(outcome)).toEqual([{ status: 'asked', decision_note: null }]);
      await s.as(dispatcher, 'update shifts set required_headcount = 1 where id = $1', [shift]);
      expect(await s.owner(outcome)).toEqual(lapsed);
    }));

  test('when the shift is deleted', () =>
    story(async (s) => {
      const shift = await s.shift(2);
      await s.offer(shift, guardHere);
      await s.as(opsManager, 'delete from shifts where id = $1', [shift]);
      expect((await s.told(guardHere)).sort()).toEqual(['Can you come?', 'The shift is cancelled']);
    }));
});

describe('withdrawing offers', () => {
  const WITHDRAW = 'select status, decided_by from withdraw_offers($1)';

  test('closes those that wait for an answer, and their guards get a notice at once', () =>
    story(async (s) => {
      const shift = await s.shift(2);
      const [here, theirs] = await s.offer(shift, guardHere, bystander);
      for (const _ of [1, 2]) {
        expect(await s.as(dispatcher, WITHDRAW, [[here]])).toEqual([
          { status: 'withdrawn', decided_by: dispatcher.id },
        ]);
      }
      expect((await s.told(guardHere)).sort()).toEqual([
        'Can you come?',
        'You are no longer needed',
      ]);
      expect(await s.told(bystander)).toEqual(['Can you come?']);
      // A yes that was on its way is kept, and gets no seat.
      expect(await s.answer(guardHere, here, true)).toEqual({
        status: 'withdrawn',
        answer: 'yes',
        decision_note: 'The control room no longer needs you for this shift.',
      });
      expect(await s.staffed(shift)).toEqual([]);
      expect(await s.answer(bystander, theirs, true)).toMatchObject({ status: 'approved' });
    }));

  test('is undone by asking again', () =>
    story(async (s) => {
      const shift = await s.shift(2);
      const [first] = await s.offer(shift, guardHere);
      await s.owner(`update offers set note = 'Bring your raincoat'`);
      await s.as(dispatcher, WITHDRAW, [[first]]);
      const mine = 'select status, note from offers_to_me()';
      const note = 'Bring your raincoat';
      expect(await s.as(guardHere, mine)).toEqual([{ status: 'withdrawn', note }]);
      const [renewed] = await s.as(dispatcher, 'select id from renew_offers($1)', [[first]]);
      const again = String(renewed?.id);
      expect(again).not.toBe(first);
      expect(await s.as(guardHere, mine)).toEqual([{ status: 'asked', note }]);
      expect(await s.answer(guardHere, again, true)).toMatchObject({ status: 'approved' });
    }));

  test('is refused once a guard has answered, all or none', () =>
    story(async (s) => {
      const shift = await s.shift(2, { seats: 2 });
      const [here, theirs] = await s.offer(shift, guardHere, bystander);
      await s.answer(guardHere, here, true);
      expect(await s.refused(dispatcher, WITHDRAW, [[here, theirs]])).toBe(
        `Nothing was withdrawn: 1 of 2 rows can't be. ${guardHere.name}: Has said yes.`,
      );
      expect(await s.owner(`select id from offers where status = 'asked'`)).toEqual([
        { id: theirs },
      ]);
    }));

  test('is for planners of the site, and not for requests of guards', () =>
    story(async (s) => {
      const shift = await s.shift(2);
      const [asked] = await s.offer(shift, guardHere);
      for (const person of [supervisorElsewhere, hr, guardHere]) {
        expect(await s.refused(person, WITHDRAW, [[asked]]), person.name).toContain(
          "you don't plan the shifts of this site",
        );
      }
      const [bid] = await s.owner(
        `insert into offers (kind, shift_id, user_id, status, site_id)
         select 'bid', id, $2, 'open', site_id from shifts where id = $1 returning id`,
        [shift, bystander.id],
      );
      expect(await s.refused(dispatcher, WITHDRAW, [[bid?.id]])).toContain('no longer exists');
      expect(await s.told(guardHere)).toEqual(['Can you come?']);
    }));
});
