// The ranking of who may lawfully stand in for a guard who does not come.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bystander,
  dispatcher,
  guardElsewhere,
  guardHere,
  hr,
  newcomer,
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

describe('the ranking', () => {
  test('has those who may lawfully come: not without rest, on leave, banned, gone, or no guard', () =>
    story(async (s) => {
      const shift = await s.shift(30);
      expect((await s.ranked(shift)).sort()).toEqual(
        [guardHere.id, bystander.id, guardElsewhere.id].sort(),
      );
      await s.assign(await s.shift(15), guardHere); // 7 hours before
      await s.owner(
        `insert into leave_requests (user_id, type, start_date, end_date, reason, status)
         values ($1, 'annual', current_date, current_date + 5, 'Family', 'approved')`,
        [bystander.id],
      );
      expect(await s.ranked(shift)).toEqual([guardElsewhere.id]);
      await s.owner(`update profiles set left_on = current_date where id = $1`, [
        guardElsewhere.id,
      ]);
      expect(await s.ranked(shift)).toEqual([]);
    }));

  test('agrees with the rules about every guard, whatever else they do', () =>
    story(async (s) => {
      // Duties of 8 and 12 hours through two weeks: short rests, full weeks, many days in a row.
      const guards = [guardHere, bystander, guardElsewhere];
      for (let day = 1; day < 14; day += 1) {
        for (const [place, guard] of guards.entries()) {
          if ((day * (place + 3)) % (place + 4) < 2) continue;
          const duty = await s.shift(24 * day + 5 * place, { length: place === 1 ? 12 : 8 });
          await s.assignIfLawful(duty, guard);
        }
      }
      const verdicts = new Set<boolean>();
      for (let hour = 20; hour < 300; hour += 9) {
        const shift = await s.shift(hour, { length: hour % 2 === 0 ? 12 : 6 });
        const may = await s.owner(
          `select p.id from profiles p, shifts s
           where s.id = $1 and private.obstacle_to_replace(p.id, s) is null order by p.id`,
          [shift],
        );
        expect((await s.ranked(shift)).sort(), `${hour} h`).toEqual(may.map(({ id }) => id));
        for (const { id } of guards) verdicts.add(may.some((row) => row.id === id));
      }
      expect(verdicts.size).toBe(2);
    }));

  test('prefers who knows the site, lives near and said yes last time, and says why', () =>
    story(async (s) => {
      await s.owner(`update profiles set home_position = '6.31,-10.8' where id = $1`, [
        bystander.id,
      ]);
      await s.owner(`update profiles set home_position = '6.6,-10.8' where id = $1`, [
        guardElsewhere.id,
      ]);
      for (const days of [2, 4, 6, 8]) {
        await s.assign(await s.shift(-24 * days), guardHere);
      }
      const shift = await s.shift(30);
      expect(await s.ranked(shift)).toEqual([guardHere.id, bystander.id, guardElsewhere.id]);
      await s.as(dispatcher, 'select note_call($1, $2, $3)', [shift, guardHere.id, 'wrong_number']);
      const rows = await s.as(
        dispatcher,
        'select user_id, rank, distance_km, knows_site, last_answer, reasons from rank_replacements($1)',
        [shift],
      );
      expect(rows[0]).toMatchObject({
        user_id: bystander.id,
        rank: 1,
        distance_km: '1.1',
        knows_site: 0,
        last_answer: null,
      });
      expect(rows.find(({ user_id }) => user_id === guardHere.id)).toMatchObject({
        knows_site: 4,
        last_answer: 'wrong_number',
        reasons: expect.arrayContaining(['Knows this site: 4 shifts']),
      });
    }));

  test('says whether who promised to come has come, and not only that they said so', () =>
    story(async (s) => {
      const last = async () => {
        const rows = await s.as(
          dispatcher,
          'select last_answer from rank_replacements($1) where user_id = $2',
          [await s.shift(40), guardHere.id],
        );
        return rows[0]?.last_answer;
      };
      const called = await s.shift(20);
      await s.as(dispatcher, 'select note_call($1, $2, $3)', [called, guardHere.id, 'coming']);
      expect(await last()).toBe('coming');
      const seat = await s.assign(called, guardHere);
      expect(await last()).toBe('coming');
      await s.owner(
        `update shifts set start_time = now() - interval '30 hours', end_time = now() - interval '22 hours'
         where id = $1`,
        [called],
      );
      for (const status of ['assigned', 'no_show', 'confirmed']) {
        await s.owner('update assignments set status = $1', [status]);
        expect(await last(), status).toBe('did_not_come');
      }
      await s.owner(
        `insert into attendance (assignment_id, clock_in_at, clock_out_at)
         values ($1, now() - interval '30 hours', now() - interval '22 hours')`,
        [seat],
      );
      expect(await last()).toBe('came');
    }));

  test('of a running shift counts the rest of it', () =>
    story(async (s) => {
      // It ended 11 hours before this shift began, which is 12.5 hours before anybody could be there now.
      await s.assign(await s.shift(-20), guardHere);
      const running = await s.shift(-1, { length: 8 });
      expect(await s.ranked(running)).toContain(guardHere.id);
      const [asked] = await s.offer(running, guardHere);
      expect(await s.answer(guardHere, asked, true)).toMatchObject({ status: 'approved' });
      const [row] = await s.owner(
        `select starts_at between now() + interval '28 minutes' and now() + interval '30 minutes' as is_soon,
           upper(period) = (select end_time from shifts where id = $1) as is_to_the_end
         from assignments where shift_id = $1`,
        [running],
      );
      expect(row).toEqual({ is_soon: true, is_to_the_end: true });
      expect(await s.ranked(await s.shift(-8, { length: 8.25 }))).toEqual([]);
    }));

  test('leaves out who is on duty now, even if planned to be home', () =>
    story(async (s) => {
      const ended = await s.assign(await s.shift(-14, { length: 12 }), guardHere);
      await s.owner(
        `insert into attendance (assignment_id, clock_in_at) values ($1, now() - interval '14 hours')`,
        [ended],
      );
      const shift = await s.shift(11);
      expect(await s.ranked(shift)).not.toContain(guardHere.id);
      expect(
        await s.refused(dispatcher, 'select offer_shift($1, $2)', [shift, [guardHere.id]]),
      ).toBe(`${guardHere.name}: On duty now.`);
    }));

  test('is for planners of the site alone', () =>
    story(async (s) => {
      const shift = await s.shift(30);
      for (const person of [supervisorElsewhere, hr, guardHere, newcomer]) {
        for (const sql of [
          'select * from rank_replacements($1)',
          `select note_call($1, '${guardHere.id}', 'coming')`,
          `select assign_replacement($1, '${guardHere.id}', true)`,
          `select offer_shift($1, array['${guardHere.id}']::uuid[])`,
        ]) {
          expect(await s.refused(person, sql, [shift]), person.name).toMatch(
            /You don't plan the shifts of this site|Finish signing in/,
          );
        }
      }
    }));
});

describe('assigning from the board', () => {
  const ASSIGN =
    'select status, joins_at is null as is_in_time from assign_replacement($1, $2, $3, $4)';

  test('gives the seat to who says on the phone that they are coming, and notes the call', () =>
    story(async (s) => {
      const shift = await s.shift(30, { seats: 2 });
      const [asked] = await s.offer(shift, guardElsewhere);
      const rows = await s.as(dispatcher, ASSIGN, [shift, guardHere.id, true, 'By taxi']);
      expect(rows).toEqual([{ status: 'confirmed', is_in_time: true }]);
      expect(await s.owner('select user_id, result, note from replacement_calls')).toEqual([
        { user_id: guardHere.id, result: 'coming', note: 'By taxi' },
      ]);
      expect(await s.told(guardHere)).toEqual(['New shift']);
      // Somebody who was not called has yet to confirm; with them the shift is full.
      const second = await s.as(dispatcher, ASSIGN, [shift, bystander.id, false, null]);
      expect(second).toEqual([{ status: 'assigned', is_in_time: true }]);
      expect(await s.owner('select status from offers where id = $1', [asked])).toEqual([
        { status: 'lapsed' },
      ]);
      expect(await s.refused(dispatcher, ASSIGN, [shift, guardElsewhere.id, true, null])).toBe(
        'Every post of this shift has been given.',
      );
      expect(await s.owner('select count(*)::integer from replacement_calls')).toEqual([
        { count: 1 },
      ]);
    }));

  test('of a running shift lets the guard join when the way there allows', () =>
    story(async (s) => {
      const shift = await s.shift(-1);
      const rows = await s.as(dispatcher, ASSIGN, [shift, guardHere.id, true, null]);
      expect(rows).toEqual([{ status: 'confirmed', is_in_time: false }]);
    }));

  test('asks the rules, and names the one that is broken', () =>
    story(async (s) => {
      await s.assign(await s.shift(20), guardHere);
      const shift = await s.shift(30);
      expect(await s.refused(dispatcher, ASSIGN, [shift, guardHere.id, true, null])).toMatch(
        new RegExp(`^${guardHere.name} can't take this shift: `),
      );
      expect(await s.staffed(shift)).toEqual([]);
    }));

  test('is undone by unassigning, which leaves the call', () =>
    story(async (s) => {
      const shift = await s.shift(30);
      await s.as(dispatcher, ASSIGN, [shift, guardHere.id, true, null]);
      await s.as(dispatcher, `select assign_guards($1, '{}', array[$2]::uuid[])`, [
        shift,
        guardHere.id,
      ]);
      expect(await s.staffed(shift)).toEqual([]);
      expect(await s.ranked(shift)).toContain(guardHere.id);
    }));
});
