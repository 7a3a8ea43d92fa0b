// A guard who does not come keeps a no-show with its reason.
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

const MARK = 'select no_show_reason, no_show_by, status from mark_no_show($1, $2)';
const UNDO = 'select status, no_show_reason, no_show_at from undo_no_show($1)';

describe('a no-show', () => {
  test('keeps its reason, frees the seat, and can be undone', () =>
    story(async (s) => {
      const shift = await s.shift(-1);
      const absent = await s.assign(shift, bystander);
      expect(
        await s.refused(dispatcher, 'select offer_shift($1, $2)', [shift, [guardHere.id]]),
      ).toBe('Every post of this shift has been given.');
      expect(await s.as(dispatcher, MARK, [absent, ' Phone is off '])).toEqual([
        { no_show_reason: 'Phone is off', no_show_by: dispatcher.id, status: 'no_show' },
      ]);
      expect(await s.staffed(shift)).toEqual([]);
      expect(await s.as(dispatcher, UNDO, [absent])).toEqual([
        { status: 'assigned', no_show_reason: null, no_show_at: null },
      ]);
      expect(await s.staffed(shift)).toEqual([bystander.id]);
    }));

  test('can’t be undone while another guard has the seat, also not by changing the status', () =>
    story(async (s) => {
      const shift = await s.shift(-1);
      const absent = await s.assign(shift, bystander);
      await s.as(dispatcher, MARK, [absent, 'Phone is off']);
      const [asked] = await s.offer(shift, guardHere);
      await s.answer(guardHere, asked, true);
      const message = `${guardHere.name} has this post now. Unassign them first, or raise the number of guards.`;
      expect(await s.refused(dispatcher, UNDO, [absent])).toBe(message);
      const edit = `update assignments set status = 'confirmed' where id = $1`;
      expect(await s.refused(dispatcher, edit, [absent])).toBe(message);
      expect(await s.staffed(shift)).toEqual([guardHere.id]);
      // The planner may still drop the guard, or make room for both.
      await s.as(dispatcher, 'update shifts set required_headcount = 2 where id = $1', [shift]);
      expect(await s.as(dispatcher, UNDO, [absent])).toMatchObject([{ status: 'assigned' }]);
      expect(await s.staffed(shift)).toEqual([guardHere.id, bystander.id].sort());
    }));

  test('can be undone where planners had assigned more guards than needed', () =>
    story(async (s) => {
      const shift = await s.shift(-1);
      await s.owner(
        `insert into assignments (shift_id, user_id, created_at) values ($1, $2, now() - interval '1 day')`,
        [shift, guardHere.id],
      );
      const absent = await s.assign(shift, bystander);
      await s.as(dispatcher, MARK, [absent, 'Phone is off']);
      expect(await s.as(dispatcher, UNDO, [absent])).toMatchObject([{ status: 'assigned' }]);
    }));

  test('is cleared when the guard clocks in after all, and the planners get a notice', () =>
    story(async (s) => {
      const absent = await s.assign(await s.shift(-1), guardHere);
      await s.as(dispatcher, MARK, [absent, 'Phone is off']);
      await s.as(
        guardHere,
        `select record_clock_event(gen_random_uuid(), 'in', $1, now(), p_gps => '6.3,-10.8')`,
        [absent],
      );
      expect(
        await s.owner('select status, attendance_state, no_show_reason from assignments'),
      ).toEqual([{ status: 'confirmed', attendance_state: 'in', no_show_reason: null }]);
      expect(await s.told(dispatcher)).toEqual([`${guardHere.name} has come after all`]);
      expect(await s.refused(dispatcher, MARK, [absent, 'Again'])).toBe(
        'The guard has already clocked in on this shift.',
      );
    }));

  test('needs a reason, a shift that begins, and a planner of the site', () =>
    story(async (s) => {
      const due = await s.assign(await s.shift(-1), guardHere);
      const later = await s.assign(await s.shift(30), guardHere);
      expect(await s.refused(dispatcher, MARK, [due, ' '])).toContain('Give a reason');
      expect(await s.refused(dispatcher, MARK, [later, 'Ill'])).toContain('has not begun');
      for (const person of [supervisorElsewhere, guardHere, hr]) {
        expect(await s.refused(person, MARK, [due, 'Ill'])).toContain("You don't plan");
        expect(await s.refused(person, 'select undo_no_show($1)', [due])).toContain(
          "You don't plan",
        );
      }
    }));

  test('comes back exactly when its deleted shift is restored, and so does when the replacement joins', () =>
    story(async (s) => {
      const shift = await s.shift(-1, { seats: 2 });
      const absent = await s.assign(shift, bystander);
      await s.as(dispatcher, MARK, [absent, 'Phone is off']);
      await s.owner(`update assignments set no_show_at = now() - interval '3 minutes'`);
      const [asked] = await s.offer(shift, guardHere);
      await s.answer(guardHere, asked, true);
      const all = `select to_jsonb(a) - 'updated_at' as row from assignments a order by user_id`;
      const before = await s.owner(all);
      expect(before.map(({ row }) => row)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ no_show_reason: 'Phone is off', no_show_by: dispatcher.id }),
          expect.objectContaining({ joins_at: expect.any(String), status: 'confirmed' }),
        ]),
      );
      // One shift, as its dialog deletes it; many, as the list does.
      const [one] = await s.as(
        opsManager,
        `with guards as (select jsonb_agg(to_jsonb(a)) as them from assignments a where shift_id = $1)
         delete from shifts s using guards where s.id = $1 returning to_jsonb(s) as shift, them`,
        [shift],
      );
      const undone = [{ restored: 2, left_out: [] }];
      expect(
        await s.as(opsManager, 'select * from restore_shift($1, $2)', [
          one?.shift,
          JSON.stringify(one?.them),
        ]),
      ).toEqual(undone);
      expect(await s.owner(all)).toEqual(before);
      const [many] = await s.as(opsManager, `select delete_records('shifts', $1) as rows`, [
        [shift],
      ]);
      await s.as(opsManager, `select restore_records('shifts', $1)`, [JSON.stringify(many?.rows)]);
      expect(await s.owner(all)).toEqual(before);
    }));

  test('is listed with its reason', () =>
    story(async (s) => {
      const shift = await s.shift(-1);
      await s.as(dispatcher, MARK, [await s.assign(shift, bystander), 'Phone is off']);
      expect(await s.as(hr, 'select status, no_show_reason from attendance_of(null)')).toEqual([
        { status: 'no_show', no_show_reason: 'Phone is off' },
      ]);
    }));

  test('is signed by who enters it', () =>
    story(async (s) => {
      const shift = await s.shift(-1);
      const made = `insert into assignments (shift_id, user_id, status, no_show_reason, no_show_at, no_show_by)
        values ($1, $2, 'no_show', 'Ill', now() - interval '1 year', $3) returning no_show_at = now() as is_now, no_show_by`;
      expect(await s.as(dispatcher, made, [shift, bystander.id, guardHere.id])).toEqual([
        { is_now: true, no_show_by: dispatcher.id },
      ]);
    }));
});
