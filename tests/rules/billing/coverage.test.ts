// Required against worked guard minutes per post and day, by intervals.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { billingStory, type Caller, dateOf } from '#tests/support/billing-story.ts';
import {
  admin,
  bystander,
  dispatcher,
  finance,
  guardElsewhere,
  guardHere,
  newcomer,
  opsManager,
  supervisorEverywhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { LENIENT_RULES } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(LENIENT_RULES);
});

const story = (work: (caller: Caller) => Promise<void>) => billingStory(database.owner, work);

/** `day post: required worked uncovered late overstaffed`, in minutes. */
async function covered({ as, story }: Caller, from: number, to = from): Promise<string[]> {
  const rows = await as(
    finance,
    `select concat_ws(' ', day - date '2025-03-01' + 1, coalesce(post_name, '-') || ':', required_minutes, worked_minutes,
       uncovered_minutes, late_minutes, overstaffed_minutes) as text from coverage($1, $2, $3)`,
    [dateOf(from), dateOf(to), story.client],
  );
  return rows.map(({ text }) => String(text));
}

describe('coverage of a post', () => {
  test('that was worked as planned is complete, over midnight too, on the day when the shift began', () =>
    story(async (caller) => {
      const { story } = caller;
      await story.work(guardHere, await story.shift('gate', 3, '06:00-18:00'), '06:00-18:00');
      await story.work(bystander, await story.shift('gate', 3, '18:00-06:00'), '18:00-06:00');
      expect(await covered(caller, 3, 4)).toEqual(['3 gate: 1440 1440 0 0 0']);
    }));

  test('tells who came late from who left early and who never came', () =>
    story(async (caller) => {
      const { story } = caller;
      await story.work(guardHere, await story.shift('gate', 3, '06:00-18:00'), '07:00-18:00');
      await story.work(guardHere, await story.shift('gate', 4, '06:00-18:00'), '06:00-15:30');
      await story.shift('gate', 5, '06:00-18:00');
      expect(await covered(caller, 3, 5)).toEqual([
        '3 gate: 720 660 60 60 0',
        '4 gate: 720 570 150 0 0',
        '5 gate: 720 0 720 0 0',
      ]);
    }));

  test('does not let two guards at noon make up for nobody at six', () =>
    story(async (caller) => {
      const { story } = caller;
      const shift = await story.shift('gate', 3, '06:00-18:00');
      await story.work(guardHere, shift, '08:00-14:00');
      await story.work(bystander, shift, '12:00-18:00');
      // Either would have covered the first two hours.
      expect(await covered(caller, 3)).toEqual(['3 gate: 720 720 120 120 120']);
    }));

  test('counts each missing guard of a shift for several, and a late one only until they come', () =>
    story(async (caller) => {
      const { story } = caller;
      const shift = await story.shift('gate', 3, '06:00-18:00', 3);
      await story.work(guardHere, shift, '06:00-18:00');
      await story.work(bystander, shift, '09:00-18:00');
      expect(await covered(caller, 3)).toEqual(['3 gate: 2160 1260 900 180 0']);
    }));

  test('is covered by who stays until the relief comes, and overstaffed once both are there', () =>
    story(async (caller) => {
      const { story } = caller;
      await story.work(guardHere, await story.shift('gate', 3, '06:00-18:00'), '06:00-20:00');
      await story.work(bystander, await story.shift('gate', 3, '18:00-06:00'), '19:00-06:00');
      expect(await covered(caller, 3)).toEqual(['3 gate: 1440 1500 0 0 60']);
    }));

  test('does not depend on where the period is cut', () =>
    story(async (caller) => {
      const { story } = caller;
      await story.work(guardHere, await story.shift('gate', 3, '18:00-06:00'), '18:00-08:00');
      await story.work(bystander, await story.shift('gate', 4, '06:00-18:00'), '08:00-18:00');
      const both = await covered(caller, 3, 4);
      expect(both).toEqual(['3 gate: 720 720 0 0 0', '4 gate: 720 720 0 0 0']);
      expect([...(await covered(caller, 3)), ...(await covered(caller, 4))]).toEqual(both);
    }));

  test('counts no minute that was refused, and keeps posts apart', () =>
    story(async (caller) => {
      const { story } = caller;
      const gate = await story.shift('gate', 3, '06:00-18:00');
      await story.work(guardHere, gate, '06:00-17:00');
      await story.work(guardHere, gate, '17:00-18:00', { cls: 'unpaid', rule: 'not_approved' });
      await story.work(bystander, await story.shift('yard', 3, '06:00-18:00', 1), '06:00-18:00');
      await story.work(
        guardElsewhere,
        await story.shift(undefined, 3, '06:00-08:00'),
        '06:00-08:00',
      );
      expect(await covered(caller, 3)).toEqual([
        '3 gate: 720 660 60 0 0',
        '3 yard: 720 720 0 0 0',
        '3 -: 120 120 0 0 0',
      ]);
    }));
});

describe('records without computed time', () => {
  test('count within their shift, and one that nobody closed does not', () =>
    story(async (caller) => {
      const { story } = caller;
      for (const [day, out] of [
        [3, '19:00'],
        [4, undefined],
      ] as const) {
        const shift = await story.shift('gate', day, '06:00-18:00');
        const assignment = await story.insert('assignments', {
          shift_id: shift,
          user_id: newcomer.id,
          override_reason: 'Flood',
        });
        await story.insert('attendance', {
          assignment_id: assignment,
          clock_in_at: `${dateOf(day)}T05:30Z`,
          clock_out_at: out === undefined ? null : `${dateOf(day)}T${out}Z`,
        });
      }
      await story.query('delete from time_segments where user_id = $1', [newcomer.id]);
      expect(await covered(caller, 3, 4)).toEqual([
        '3 gate: 720 720 0 0 0',
        '4 gate: 720 0 720 0 0',
      ]);
    }));

  test('of a shift that still runs count until now, and what is to come is not due yet', () =>
    story(async ({ story, as }) => {
      const [shift] = await story.query(
        `insert into shifts (site_id, start_time, end_time)
         values ($1, date_trunc('minute', now()) - interval '3 h', date_trunc('minute', now()) + interval '2 h') returning id`,
        [story.site],
      );
      await story.query(
        `insert into shifts (site_id, start_time, end_time) values ($1, now() + interval '1 h', now() + interval '2 h')`,
        [story.site],
      );
      const assignment = await story.insert('assignments', {
        shift_id: shift?.id,
        user_id: newcomer.id,
        override_reason: 'Flood',
      });
      await story.query(
        `insert into attendance (assignment_id, clock_in_at) values ($1, date_trunc('minute', now()) - interval '2 h')`,
        [assignment],
      );
      const found = await as(
        finance,
        `select sum(required_minutes)::int as required, sum(worked_minutes)::int as worked, sum(late_minutes)::int as late
         from coverage((now() - interval '1 day')::date, (now() + interval '1 day')::date, $1)`,
        [story.client],
      );
      expect(found).toEqual([{ required: 180, worked: 120, late: 60 }]);
    }));
});

describe('who sees coverage', () => {
  test('overseers and finance of every site, supervisors of their own', () =>
    story(async ({ story, as, owner }) => {
      await story.shift('gate', 3, '06:00-18:00');
      await owner(`insert into shifts (site_id, start_time, end_time)
        select id, '2025-03-03T06:00Z', '2025-03-03T07:00Z' from sites where name in ('Here', 'Elsewhere')`);
      const sites = async (person: typeof admin, client: string | null) =>
        (
          await as(person, `select site_name from coverage('2025-03-03', '2025-03-03', $1)`, [
            client,
          ])
        ).map(({ site_name }) => site_name);
      for (const person of [admin, opsManager, finance, supervisorEverywhere]) {
        expect(await sites(person, null)).toEqual(['Elsewhere', 'Here', 'Residence']);
        expect(await sites(person, story.client)).toEqual(['Residence']);
      }
      expect(await sites(supervisorHere, null)).toEqual(['Here']);
      expect(await sites(supervisorHere, story.client)).toEqual([]);
    }));

  test('nobody else, and no period without an end', () =>
    story(async ({ refused }) => {
      for (const person of [guardHere, dispatcher]) {
        expect(await refused(person, `select coverage('2025-03-01', '2025-03-31', null)`)).toBe(
          'You may not see the coverage of sites.',
        );
      }
      for (const [from, to] of [
        ['2025-03-31', '2025-03-01'],
        ['2023-03-31', '2025-03-01'],
        ['-infinity', 'infinity'],
      ]) {
        expect(await refused(admin, 'select coverage($1, $2, null)', [from, to])).toMatch(
          /at most 400 days|date from 1900/,
        );
      }
    }));
});
