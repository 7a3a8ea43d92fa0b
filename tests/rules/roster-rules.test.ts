// The hard rules of rosters: what the database refuses every writer, and what a reason may override.

import type { PoolClient } from 'pg';
import pg from 'pg';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Callers } from '#backend/database/callers.ts';
import {
  bystander,
  dispatcher,
  guardElsewhere,
  guardHere,
  opsManager,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { buildScene, type Scene } from '#tests/support/scene.ts';
import {
  attempt,
  become,
  becomeOwner,
  REFUSED,
  refusal,
  rolledBack,
} from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  database = await freshDatabase();
  scene = await buildScene(database.owner);
  await database.owner.query(
    'delete from attendance; delete from assignments; delete from shifts; delete from certifications',
  );
});

const OVERLAP = '23P01';
const BROKEN = '23514';

/** @param time '05 18:00' of January 2035, in UTC, which is the company's time; the 1st is a Monday */
const at = (time: string) => `2035-01-${time.replace(' ', 'T')}Z`;

/** @param span '05 18:00', and hours */
async function addShift(
  client: PoolClient,
  [start, hours]: readonly [string, number],
  { site = scene.sites.here, post = null as string | null } = {},
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into shifts (site_id, start_time, end_time, post_id)
     values ($1, $2::timestamptz, $2::timestamptz + $3 * interval '1 hour', $4) returning id`,
    [site, at(start), hours, post],
  );
  return rows[0]?.id ?? '';
}

const assign = (
  client: PoolClient,
  shift: string,
  person = guardHere,
  reason: string | null = null,
) =>
  client.query<{ id: string }>(
    'insert into assignments (shift_id, user_id, override_reason) values ($1, $2, $3) returning id',
    [shift, person.id, reason],
  );

/** Puts the guard on the shifts. @returns their ids */
async function work(client: PoolClient, spans: readonly (readonly [string, number])[]) {
  const ids: string[] = [];
  for (const span of spans) {
    const id = await addShift(client, span);
    await assign(client, id);
    ids.push(id);
  }
  return ids;
}

/** What the refusal of an assignment names. */
async function problems(client: PoolClient, shift: string, person = guardHere) {
  const error = await refusal(client, () => assign(client, shift, person));
  return JSON.parse(error.detail ?? '[]').map(
    ({ rule, message, can_override }: { rule: string; message: string; can_override: boolean }) =>
      `${rule}${can_override ? '' : '!'}: ${message}`,
  );
}

const days = (first: number, last: number, start = '06:00', hours = 12) =>
  Array.from(
    { length: last - first + 1 },
    (_, index) => [`${String(first + index).padStart(2, '0')} ${start}`, hours] as const,
  );

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

describe('an override', () => {
  const REASON = 'Nobody else can reach the embassy';
  const late = [['01 14:00', 8]] as const;

  test.each([
    ['an operations manager', opsManager, undefined],
    ['the supervisor of the site', supervisorHere, undefined],
    ['a dispatcher', dispatcher, OVERLAP],
    ['the supervisor of another site', supervisorElsewhere, REFUSED],
    ['the guard', guardHere, REFUSED],
  ])('by %s', async (_who, person, expected) => {
    await rolledBack(database.owner, async (client) => {
      await work(client, late);
      const shift = await addShift(client, ['02 06:00', 8]);
      await become(client, person);
      const values = [shift, [guardHere.id], REASON];
      const assignAgainstRules = () =>
        client.query('select assign_guards($1, $2, p_override_reason => $3)', values);
      const error = await attempt(client, assignAgainstRules);
      // Callers who can't read the shift get "not found".
      expect(error === 'PT404' ? REFUSED : error).toBe(expected);
      await becomeOwner(client);
      const { rows } = await client.query(
        'select override_reason, overridden_rules, overridden_by from assignments where shift_id = $1',
        [shift],
      );
      expect(rows).toEqual(
        expected === undefined
          ? [{ override_reason: REASON, overridden_rules: ['rest'], overridden_by: person.id }]
          : [],
      );
    });
  });

  test('tells who may override, and is kept in the activity log', async () => {
    await rolledBack(database.owner, async (client) => {
      await work(client, late);
      const shift = await addShift(client, ['02 06:00', 8]);
      await become(client, dispatcher);
      const error = await refusal(client, () => assign(client, shift));
      expect(error.message).toBe("guard on the site can't work this shift: 8 h rest, 12 needed.");
      expect(error.hint).toBe(
        'A supervisor, an operations manager or an admin can override this with a reason.',
      );
      await become(client, opsManager);
      expect((await refusal(client, () => assign(client, shift))).hint).toBe(
        'Assign the guard with a reason to override this.',
      );
      const { rows } = await assign(client, shift, guardHere, `  ${REASON} `);
      await becomeOwner(client);
      const log = await client.query(
        `select new_values -> 'override_reason' as reason, new_values -> 'overridden_rules' as rules, actor_id
         from audit_log where row_id = $1`,
        [rows[0]?.id],
      );
      expect(log.rows).toEqual([{ reason: REASON, rules: ['rest'], actor_id: opsManager.id }]);
    });
  });

  test('that was drafted is published by a dispatcher too, in the name of its author', async () => {
    await rolledBack(database.owner, async (client) => {
      await work(client, late);
      const shift = await addShift(client, ['02 06:00', 8]);
      await become(client, dispatcher);
      const draft = (reason: string | null) =>
        client.query('select apply_roster($1)', [
          JSON.stringify([
            { shift_id: shift, user_id: guardHere.id, change: 'assign', override_reason: reason },
          ]),
        ]);
      expect(await attempt(client, () => draft(REASON))).toBe('PT409');
      await become(client, opsManager);
      await draft(REASON);
      await become(client, dispatcher);
      await client.query('select publish_roster($1, $1)', ['2035-01-02']);
      await becomeOwner(client);
      const { rows } = await client.query(
        'select overridden_rules, overridden_by from assignments where shift_id = $1',
        [shift],
      );
      expect(rows).toEqual([{ overridden_rules: ['rest'], overridden_by: opsManager.id }]);
    });
  });

  test('never allows less than 8 hours of rest, also between two overrides', async () => {
    await rolledBack(database.owner, async (client) => {
      await work(client, late);
      await become(client, opsManager);
      const shift = await addShift(client, ['02 06:00', 6]);
      await assign(client, shift, guardHere, REASON);
      const next = await addShift(client, ['02 20:00', 4]);
      await assign(client, next, guardHere, REASON);
      const nearer = await addShift(client, ['03 07:59', 4]);
      expect(await attempt(client, () => assign(client, nearer, guardHere, REASON))).toBe(OVERLAP);
      await client.query(
        `update shifts set start_time = start_time + interval '1 minute' where id = $1`,
        [nearer],
      );
      await assign(client, nearer, guardHere, REASON);
    });
  });

  test('without a broken rule leaves no trace, and an empty reason is none', async () => {
    await rolledBack(database.owner, async (client) => {
      await become(client, opsManager);
      const shift = await addShift(client, ['02 06:00', 12]);
      await assign(client, shift, guardHere, REASON);
      const { rows } = await client.query(
        'select override_reason, overridden_rules, overridden_by from assignments where shift_id = $1',
        [shift],
      );
      expect(rows).toEqual([{ override_reason: null, overridden_rules: [], overridden_by: null }]);
      const long = await addShift(client, ['04 06:00', 13]);
      expect(await attempt(client, () => assign(client, long, guardHere, ' '))).toBe(BROKEN);
    });
  });

  test('can’t be claimed by the caller, and ends with another guard', async () => {
    await rolledBack(database.owner, async (client) => {
      const shift = await addShift(client, ['02 06:00', 13]);
      await become(client, dispatcher);
      const insert = `insert into assignments (shift_id, user_id, overridden_rules, overridden_by, rest_span)
        values ($1, $2, '{shift_hours}', $3, tstzrange('2035-01-02 06:00Z', '2035-01-02 19:00Z'))`;
      expect(
        await attempt(client, () => client.query(insert, [shift, guardHere.id, opsManager.id])),
      ).toBe(BROKEN);
      await become(client, opsManager);
      const { rows } = await assign(client, shift, guardHere, REASON);
      await become(client, dispatcher);
      const give = () =>
        client.query('update assignments set user_id = $2 where id = $1', [
          rows[0]?.id,
          bystander.id,
        ]);
      expect(await attempt(client, give)).toBe(BROKEN);
    });
  });
});

describe('what is checked again', () => {
  const NIGHT = [['01 14:00', 8]] as const;

  test('moving a shift names the guard; changing its status or notes does not ask', async () => {
    await rolledBack(database.owner, async (client) => {
      await work(client, NIGHT);
      const [next] = await work(client, [['02 10:00', 8]]);
      await become(client, opsManager);
      const move = () =>
        client.query(
          `update shifts set start_time = start_time - interval '3 hours' where id = $1`,
          [next],
        );
      const error = await refusal(client, move);
      expect(error.message).toBe("guard on the site can't work this shift: 9 h rest, 12 needed.");
      await client.query(
        `update shifts set start_time = start_time + interval '1 hour' where id = $1`,
        [next],
      );
      // Rules that change later leave what is planned alone.
      await becomeOwner(client);
      await client.query(
        `insert into rule_sets (name, effective_from, min_rest_hours) values ('More rest', '2030-06-01', 20)`,
      );
      await become(client, opsManager);
      await client.query(`update assignments set status = 'confirmed' where shift_id = $1`, [next]);
      await client.query(`update shifts set notes = 'Radio 2' where id = $1`, [next]);
      await client.query(`update assignments set status = 'cancelled' where shift_id = $1`, [next]);
      expect(
        await attempt(client, () =>
          client.query(`update assignments set status = 'assigned' where shift_id = $1`, [next]),
        ),
      ).toBe(OVERLAP);
    });
  });

  test('an override goes along with its shift, and a problem that stays as it was does not stop a move', async () => {
    await rolledBack(database.owner, async (client) => {
      const [first] = await work(client, NIGHT);
      const next = await addShift(client, ['02 06:00', 8]);
      await assign(client, next, guardHere, 'Nobody else');
      await become(client, dispatcher);
      await client.query(
        `update shifts set start_time = start_time + interval '1 hour' where id = $1`,
        [next],
      );
      const overrides = () =>
        client.query('select overridden_rules from assignments where shift_id = $1', [next]);
      expect((await overrides()).rows).toEqual([{ overridden_rules: ['rest'] }]);
      // The rest after it is 9 h now; this one starts earlier and ends at the same time.
      await client.query(
        `update shifts set start_time = start_time - interval '1 hour' where id = $1`,
        [first],
      );
      expect(
        await attempt(client, () =>
          client.query(
            `update shifts set end_time = end_time + interval '30 minutes' where id = $1`,
            [first],
          ),
        ),
      ).toBe(OVERLAP);
    });
  });

  test('all rules are in force for an import with the service key', async () => {
    await rolledBack(database.owner, async (client) => {
      await work(client, NIGHT);
      const shift = await addShift(client, ['02 06:00', 8]);
      const nearer = await addShift(client, ['02 05:00', 8]);
      await client.query(
        `select set_config('role', 'service_role', true), set_config('request.jwt.claims', '{"role":"service_role"}', true)`,
      );
      expect(await attempt(client, () => assign(client, shift))).toBe(OVERLAP);
      expect(await attempt(client, () => assign(client, nearer, guardHere, 'Import'))).toBe(
        OVERLAP,
      );
      await assign(client, shift, guardHere, 'Import');
    });
  });

  test('without triggers, the constraint still refuses less rest', async () => {
    await rolledBack(database.owner, async (client) => {
      await work(client, NIGHT);
      const shift = await addShift(client, ['02 06:00', 8]);
      await client.query('alter table assignments disable trigger user');
      const insert = `insert into assignments (shift_id, user_id, site_id, period, rest_span)
        select id, $2, site_id, tstzrange(start_time, end_time),
          tstzrange(start_time - interval '6 hours', end_time + interval '6 hours') from shifts where id = $1`;
      const error = await refusal(client, () => client.query(insert, [shift, guardHere.id]));
      expect(error.constraint).toBe('assignments_leave_rest');
    });
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

describe('guards to choose from', () => {
  test('have the rules that they would break, of the post and of their other shifts', async () => {
    await rolledBack(database.owner, async (client) => {
      await work(client, [['01 14:00', 8]]);
      const shift = await addShift(client, ['02 06:00', 13]);
      await client.query(
        `insert into site_bans (site_id, user_id, reason) values ($1, $2, 'Asked to leave')`,
        [scene.sites.here, bystander.id],
      );
      await become(client, dispatcher);
      const { rows } = await client.query(
        `select full_name, conflict, problems from guard_availability($1, '2035-01-02 06:00Z', '2035-01-02 19:00Z', $2)
         where user_id = any ($3)`,
        [scene.sites.here, shift, [guardHere.id, bystander.id]],
      );
      const long = {
        rule: 'shift_hours',
        message: '12 h a shift at most, this one has 13 h',
        can_override: true,
      };
      expect(rows).toEqual([
        {
          full_name: 'bystander',
          conflict: null,
          problems: [long, { rule: 'ban', message: 'Banned from this site', can_override: false }],
        },
        {
          full_name: 'guard on the site',
          conflict: null,
          problems: [{ rule: 'rest', message: '8 h rest, 12 needed', can_override: true }, long],
        },
      ]);
    });
  });

  test('a deleted shift comes back with its override, or without the guard who is no longer allowed', async () => {
    await rolledBack(database.owner, async (client) => {
      const [first] = await work(client, [['01 14:00', 8]]);
      const next = await addShift(client, ['02 06:00', 8]);
      await assign(client, next, guardHere, 'Nobody else');
      await become(client, opsManager);
      const remove = async () =>
        (await client.query(`select delete_records('shifts', $1) as rows`, [[first, next]])).rows[0]
          .rows;
      const restore = async (deleted: unknown) =>
        (
          await client.query(`select * from restore_records('shifts', $1)`, [
            JSON.stringify(deleted),
          ])
        ).rows;
      expect(await restore(await remove())).toEqual([{ restored: 2, left_out: [] }]);
      const deleted = await remove();
      await assign(client, await addShift(client, ['02 20:00', 8]), guardHere);
      const [again] = await restore(deleted);
      expect(again).toEqual({
        restored: 2,
        left_out: ["guard on the site can't work this shift: 6 h rest, 12 needed."],
      });
    });
  });
});

describe('twenty planners at once', () => {
  const SESSIONS = 20;
  let pool: pg.Pool;
  let callers: Callers;

  beforeAll(() => {
    pool = new pg.Pool({ ...database.connection, max: SESSIONS });
    callers = new Callers(pool, () => {});
  });
  afterAll(() => pool.end());

  test('give one guard different days of a week: 48 hours come of it, and the others hear why', async () => {
    const ids = await committed(database, async (client) => {
      const shifts: string[] = [];
      for (let count = 0; count < SESSIONS; count += 1) {
        shifts.push(await addShift(client, days(15, 21)[count % 7] ?? ['15 06:00', 12]));
      }
      return shifts;
    });
    const answers = await Promise.all(
      ids.map(async (id, index) => {
        const person = index % 2 === 0 ? dispatcher : opsManager;
        try {
          await callers.run(
            { role: 'authenticated', claims: JSON.stringify(person.claims) },
            { text: 'select assign_guards($1, $2)', values: [id, `{${bystander.id}}`] },
          );
          return 'assigned';
        } catch (error) {
          if (!(error instanceof pg.DatabaseError)) throw error;
          return error.message;
        }
      }),
    );
    expect(answers.filter((answer) => answer === 'assigned')).toHaveLength(4);
    for (const answer of answers) {
      expect(answer).toMatch(
        /^(assigned|bystander (is already on an overlapping|can't work this) shift.+)$/,
      );
    }
  });
});

test('an assignment that waits for a decision about leave knows of it', async () => {
  const shift = await committed(database, (client) => addShift(client, ['25 06:00', 12]));
  const deciding = await database.owner.connect();
  try {
    await deciding.query('begin');
    await deciding.query(
      `update leave_requests set status = 'approved', start_date = '2035-01-25', end_date = '2035-01-25'
       where user_id = $1`,
      [guardElsewhere.id],
    );
    const assigned = database.owner.query<{ on_leave: boolean }>(
      'insert into assignments (shift_id, user_id) values ($1, $2) returning on_leave',
      [shift, guardElsewhere.id],
    );
    await expect
      .poll(async () => {
        const { rows } = await database.owner.query(
          `select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted
             and database = (select oid from pg_database where datname = current_database())`,
        );
        return rows[0].waiting;
      })
      .toBe(1);
    await deciding.query('commit');
    expect((await assigned).rows).toEqual([{ on_leave: true }]);
  } finally {
    deciding.release();
  }
});

/** Runs `work` on the database itself: the sessions of a test must see its rows. */
async function committed<T>(
  { owner }: TestDatabase,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await owner.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}
