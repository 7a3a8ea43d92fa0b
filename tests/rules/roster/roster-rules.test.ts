// The hard rules of rosters: what the database refuses every writer.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { bystander, guardElsewhere, guardHere, opsManager } from '#tests/support/people.ts';
import { days, rosterWriters } from '#tests/support/roster-writers.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;
const { addShift, assign, work, problems } = rosterWriters(() => scene);

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(
    'delete from attendance; delete from assignments; delete from shifts; delete from certifications',
  );
});

describe('a guard who works', () => {
  test.each<[string, readonly (readonly [string, number])[], readonly [string, number], string[]]>([
    ['a night, the next night', [['01 18:00', 12]], ['02 18:00', 12], []],
    [
      'a night, the day after it',
      [['01 18:00', 12]],
      ['02 06:00', 12],
      ['rest!: 0 h rest, 12 needed'],
    ],
    ['until 22:00, from 06:00', [['01 14:00', 8]], ['02 06:00', 8], ['rest: 8 h rest, 12 needed']],
    [
      'until 22:00, from 05:59',
      [['01 14:00', 8]],
      ['02 05:59', 8],
      ['rest!: 7.9 h rest, 12 needed'],
    ],
    [
      'from 06:00, until 18:01 the day before',
      [['03 06:00', 8]],
      ['02 06:01', 12],
      ['rest: 11.9 h rest, 12 needed'],
    ],
    [
      'at the same time',
      [['01 14:00', 8]],
      ['01 21:59', 8],
      ['overlap!: Already on a shift, Jan 1, 2:00 PM to Jan 1, 10:00 PM'],
    ],
    [
      '13 hours at once',
      [],
      ['01 06:00', 13],
      ['shift_hours: 12 h a shift at most, this one has 13 h'],
    ],
    ['48 hours and 5 more', days(1, 4), ['05 06:00', 5], []],
    [
      '48 hours and 6 more',
      days(1, 4),
      ['05 06:00', 6],
      ['week_hours: 53 h a week at most, this would make 54 h'],
    ],
    [
      '48 hours, on Sunday night',
      days(1, 4),
      ['07 18:00', 12],
      ['week_hours: 53 h a week at most, this would make 60 h'],
    ],
    ['48 hours, on the Monday after', days(1, 4), ['08 06:00', 12], []],
    [
      '48 hours after a Sunday night, which counts to the week before',
      [['07 18:00', 12], ...days(9, 11)],
      ['12 06:00', 12],
      [],
    ],
    [
      'a week whose rest a Sunday night takes',
      days(9, 14, '12:00', 6),
      ['07 18:00', 12],
      ['weekly_rest: 36 h weekly rest needed, the longest would be 30 h'],
    ],
    [
      'six days, a seventh',
      days(3, 8, '06:00', 6),
      ['09 06:00', 6],
      ['consecutive_days: 6 days in a row at most, this would make 7'],
    ],
    [
      'six days with a gap in them',
      [...days(3, 5, '06:00', 6), ...days(7, 9, '06:00', 6)],
      ['10 06:00', 6],
      [],
    ],
    [
      'days on both sides of a gap',
      [...days(3, 5, '06:00', 6), ...days(7, 9, '06:00', 6)],
      ['06 06:00', 6],
      ['consecutive_days: 6 days in a row at most, this would make 7'],
    ],
    [
      'four nights, a fifth',
      days(4, 7, '20:00', 8),
      ['08 20:00', 8],
      ['consecutive_nights: 4 nights in a row at most, this would make 5'],
    ],
    ['four nights, an evening that ends before 02:00', days(4, 7, '20:00', 8), ['08 20:00', 5], []],
  ])('%s', async (_case, spans, span, expected) => {
    await rolledBack(database.owner, async (client) => {
      await work(client, spans);
      const shift = await addShift(client, span);
      if (expected.length > 0) expect(await problems(client, shift)).toEqual(expected);
      else expect(await attempt(client, () => assign(client, shift))).toBeUndefined();
    });
  });
});

describe('a company in another zone', () => {
  /** Shifts as [start, end] in UTC; the first one is new. */
  async function found(zone: string, [asked, ...others]: [string, string][]) {
    const { rows } = await database.owner.query<{ message: string }>(
      `select message from private.duty_problems($1, $2, $3,
         array(select tstzrange(d[1]::timestamptz, d[2]::timestamptz)
           from (select array[e ->> 0, e ->> 1] from jsonb_array_elements($4) e) x (d)), $5)`,
      [guardHere.id, asked?.[0], asked?.[1], JSON.stringify(others), zone],
    );
    return rows.map(({ message }) => message);
  }

  test('a night is as long as it lasts when clocks change', async () => {
    // In New York, 31 October to 1 November 2026 has 25 hours.
    const night: [string, string] = ['2026-10-31T18:00-04:00', '2026-11-01T06:00-05:00'];
    expect(await found('America/New_York', [night])).toEqual([
      '12 h a shift at most, this one has 13 h',
    ]);
    expect(await found('Europe/London', [['2026-03-28T18:00Z', '2026-03-29T06:00+01:00']])).toEqual(
      [],
    );
  });

  test('a week in which clocks lose an hour may lose its rest', async () => {
    const week = [23, 24, 25, 26, 27].map((day): [string, string] => [
      `2026-03-${day}T06:00Z`,
      `2026-03-${day}T12:00Z`,
    ]);
    const saturday: [string, string] = ['2026-03-28T06:00Z', '2026-03-28T12:00Z'];
    expect(await found('Africa/Monrovia', [saturday, ...week])).toEqual([]);
    expect(await found('Europe/London', [saturday, ...week])).toEqual([
      '36 h weekly rest needed, the longest would be 35 h',
    ]);
  });

  test('days and weeks begin at its midnight', async () => {
    // 20:00 UTC on Sunday is Monday in Tokyo.
    const monday: [string, string] = ['2035-01-07T20:00Z', '2035-01-08T08:00Z'];
    const week = [9, 10, 11, 12].map((day): [string, string] => {
      const padded = String(day).padStart(2, '0');
      return [`2035-01-${padded}T03:00Z`, `2035-01-${padded}T15:00Z`];
    });
    expect(await found('Africa/Monrovia', [monday, ...week])).toEqual([]);
    expect(await found('Asia/Tokyo', [monday, ...week])).toEqual([
      '53 h a week at most, this would make 60 h',
    ]);
  });

  test.each([
    ['no start', [null, '2035-01-02', '{}', 'UTC']],
    ['an infinite end', ['2035-01-01', 'infinity', '{}', 'UTC']],
    ['an end before the start', ['2035-01-02', '2035-01-01', '{}', 'UTC']],
    ['no zone', ['2035-01-01', '2035-01-02', '{}', null]],
    ['years', ['2035-01-01', '2037-01-01', '{}', 'UTC']],
  ])('%s is refused', async (_what, values) => {
    await rolledBack(database.owner, async (client) => {
      const error = await attempt(client, () =>
        client.query('select * from private.duty_problems(null, $1, $2, $3, $4)', values),
      );
      expect(error).toBe('22023');
    });
  });

  test('no duties, or one without an end, are no obstacle', async () => {
    const { rows } = await database.owner.query(
      `select p.* from (values (null::tstzrange[]), ('{"[2035-01-03,)","[-infinity,2034-12-01)",empty}')) v (duties),
         private.duty_problems(null, '2035-01-01 06:00Z', '2035-01-01 18:00Z', v.duties, 'Africa/Monrovia') p`,
    );
    expect(rows).toEqual([]);
  });
});

describe('a post', () => {
  /** A shift of a new post on Wednesday the 3rd, 06:00 to 18:00. */
  async function addPost(client: PoolClient, set = `name = 'Gate 2'`) {
    const { rows } = await client.query<{ id: string }>(
      `insert into posts (site_id, name) values ($1, 'Gate 2') returning id`,
      [scene.sites.here],
    );
    const id = rows[0]?.id ?? '';
    await client.query(`update posts set ${set} where id = $1`, [id]);
    return { id, shift: await addShift(client, ['03 06:00', 12], { post: id }) };
  }
  const certify = (client: PoolClient, expires: string) =>
    client.query(
      'insert into certifications (user_id, course_id, issued_at, expires_at) values ($1, $2, $3, $4)',
      [guardHere.id, scene.courseId, '2034-01-01', expires],
    );

  test.each([
    ['that expires on Wednesday evening, for Wednesday', '2035-01-03 19:00Z', []],
    [
      'that expires on Wednesday at noon',
      '2035-01-03 12:00Z',
      ['certificate: No valid certificate: Unarmed combat'],
    ],
    ['that nobody has issued', null, ['certificate: No valid certificate: Unarmed combat']],
  ])('asks for a certificate %s', async (_case, expires, expected) => {
    await rolledBack(database.owner, async (client) => {
      const { id, shift } = await addPost(client);
      await client.query('insert into post_courses (post_id, course_id) values ($1, $2)', [
        id,
        scene.courseId,
      ]);
      if (expires !== null) await certify(client, expires);
      if (expected.length > 0) expect(await problems(client, shift)).toEqual(expected);
      else await assign(client, shift);
      // A shift without a post only warns.
      await assign(client, await addShift(client, ['05 06:00', 12]));
    });
  });

  test.each([
    [`needs_induction = true`, ['induction: Not inducted at this site']],
    [`gender = 'female', gender_reason = 'Searches'`, ['gender!: The post is for female guards']],
  ])('with %s', async (set, expected) => {
    await rolledBack(database.owner, async (client) => {
      const { shift } = await addPost(client, set);
      expect(await problems(client, shift)).toEqual(expected);
      await client.query(`update profiles set gender = 'female' where id = $1`, [guardHere.id]);
      await client.query('delete from site_inductions');
      await client.query('insert into site_inductions (site_id, user_id) values ($1, $2)', [
        scene.sites.here,
        guardHere.id,
      ]);
      await assign(client, shift);
    });
  });

  test('is refused on approved leave; leave after publishing only empties it', async () => {
    await rolledBack(database.owner, async (client) => {
      const { shift } = await addPost(client);
      const byHand = await addShift(client, ['05 06:00', 12]);
      const { rows } = await assign(client, shift, bystander);
      for (const person of [guardHere, bystander]) {
        await client.query(
          `update leave_requests set status = 'approved', start_date = '2035-01-03', end_date = '2035-01-05'
           where user_id = $1`,
          [person.id],
        );
      }
      expect(await problems(client, shift)).toEqual(['leave: On approved leave']);
      await assign(client, byHand);
      await client.query(`update assignments set status = 'confirmed' where id = $1`, [
        rows[0]?.id,
      ]);
      const board = await client.query(
        'select assigned, on_leave from shift_board where id = any ($1)',
        [[shift, byHand]],
      );
      expect(board.rows).toEqual([
        { assigned: 0, on_leave: 1 },
        { assigned: 0, on_leave: 1 },
      ]);
    });
  });
});

test('someone banned from the site, or who has left, can’t work any shift there', async () => {
  await rolledBack(database.owner, async (client) => {
    const shift = await addShift(client, ['03 06:00', 12]);
    await client.query(
      `insert into site_bans (site_id, user_id, reason) values ($1, $2, 'Asked to leave')`,
      [scene.sites.here, guardHere.id],
    );
    await client.query(`update profiles set left_on = '2035-01-02' where id = any ($1)`, [
      [guardHere.id, bystander.id],
    ]);
    expect(await problems(client, shift)).toEqual([
      'inactive!: Employment has ended',
      'ban!: Banned from this site',
    ]);
    expect(await problems(client, shift, bystander)).toEqual(['inactive!: Employment has ended']);
    await assign(client, await addShift(client, ['02 06:00', 12]), bystander);
    await assign(client, await addShift(client, ['02 06:00', 8]), guardElsewhere);
  });
});

describe('rule sets', () => {
  test('the newest one that has begun counts, and one is always left', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query('delete from rule_sets where effective_from > now()');
      await client.query(
        `insert into rule_sets (name, effective_from, shift_hours) values ('Long', '2035-01-03', 14), ('Later', '2036-01-01', 10)`,
      );
      expect(await problems(client, await addShift(client, ['02 06:00', 13]))).toHaveLength(1);
      await assign(client, await addShift(client, ['04 06:00', 13]));
      const { rows } = await client.query(
        `select (private.rules_on('1999-01-01')).name as first, (private.rules_on('2035-01-03')).name as now`,
      );
      expect(rows).toEqual([{ first: 'Liberia', now: 'Long' }]);
      await become(client, opsManager);
      const removeAll = () => client.query('delete from rule_sets');
      await client.query(`delete from rule_sets where name <> 'Liberia'`);
      expect((await refusal(client, removeAll)).message).toBe(
        "The last rule set can't be deleted.",
      );
    });
  });
});
