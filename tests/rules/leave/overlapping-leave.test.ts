// Each day of leave counts once, whichever way the requests come in.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { guardHere, hr } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query('delete from leave_requests');
});

const story = (work: (client: PoolClient) => Promise<void>) => rolledBack(database.owner, work);

/** As the guard, through the table. @returns its id */
async function request(client: PoolClient, type: string, days: string): Promise<string> {
  await become(client, guardHere);
  const [first = '', last = first] = days.split('-');
  const { rows } = await client.query<{ id: string }>(
    `insert into leave_requests (user_id, type, start_date, end_date, reason)
     values ($1, $2, $3, $4, 'Family') returning id`,
    [guardHere.id, type, `2031-12-${first}`, `2031-12-${last}`],
  );
  return rows[0]?.id ?? '';
}

const decide = async (client: PoolClient, id: string, status: string) => {
  await become(client, hr);
  await client.query(
    `update leave_requests set status = $2, decision_note = 'Now ' || $2 where id = $1`,
    [id, status],
  );
};

const asRefused = async (client: PoolClient, work: () => Promise<unknown>) => {
  const { code, message } = await refusal(client, work);
  return `${code} ${message}`;
};

describe('a request for days that have leave already', () => {
  test.each([
    ['annual', '08', 'Annual leave, Dec 7 to Dec 9, 2031, is already requested.'],
    ['emergency', '09-12', 'Annual leave, Dec 7 to Dec 9, 2031, is already requested.'],
  ])('is refused: %s on %s', (type, days, sentence) =>
    story(async (client) => {
      const earlier = await request(client, 'annual', '07-09');
      expect(await asRefused(client, () => request(client, type, days))).toBe(
        `PT409 ${sentence} Choose other days, or cancel that leave first.`,
      );
      await decide(client, earlier, 'approved');
      expect(await asRefused(client, () => request(client, type, days))).toContain(
        'already approved.',
      );
      await decide(client, earlier, 'cancelled');
      await request(client, type, days);
    }),
  );

  test('is accepted beside them, and after a rejection', () =>
    story(async (client) => {
      const earlier = await request(client, 'annual', '07-09');
      await request(client, 'annual', '10-11');
      await request(client, 'annual', '06');
      await decide(client, earlier, 'rejected');
      await request(client, 'unpaid', '07-09');
    }));

  test('is neither approved nor moved there, whoever the writer is', () =>
    story(async (client) => {
      // Stored before the rule existed.
      await client.query('alter table leave_requests disable trigger c_one_leave_a_day');
      const [first, second] = [
        await request(client, 'annual', '07-09'),
        await request(client, 'annual', '08'),
      ];
      await client.query('reset role; alter table leave_requests enable trigger c_one_leave_a_day');
      await decide(client, first, 'approved');
      expect(await asRefused(client, () => decide(client, second, 'approved'))).toBe(
        'PT409 Annual leave, Dec 7 to Dec 9, 2031, is already approved. Reject this request, or cancel that leave first.',
      );
      await decide(client, second, 'rejected');
      await client.query('reset role');
      const other = await request(client, 'annual', '20');
      await client.query('reset role');
      expect(
        await asRefused(client, () =>
          client.query(
            `update leave_requests set start_date = '2031-12-09', end_date = '2031-12-09' where id = $1`,
            [other],
          ),
        ),
      ).toContain('Choose other days');
    }));
});

describe('sickness during annual leave', () => {
  /** `day type` of approved leave. */
  const days = async (client: PoolClient) => {
    await client.query('reset role');
    const { rows } = await client.query<{ text: string }>(
      `select to_char(d.day, 'FMDD') || ' ' || d.type as text
       from private.days_of_leave(array[$1]::uuid[], '2031-12-01', '2031-12-31') d order by d.day`,
      [guardHere.id],
    );
    return rows.map(({ text }) => text);
  };

  test('takes its days, which the annual leave gets back if the sick leave is cancelled', () =>
    story(async (client) => {
      await decide(client, await request(client, 'annual', '08-10'), 'approved');
      const sick = await request(client, 'sick', '09');
      await decide(client, sick, 'approved');
      expect(await days(client)).toEqual(['8 annual', '9 sick', '10 annual']);
      await decide(client, sick, 'cancelled');
      expect(await days(client)).toEqual(['8 annual', '9 annual', '10 annual']);
    }));

  test('comes first also if the annual leave is asked for later', () =>
    story(async (client) => {
      await decide(client, await request(client, 'sick', '09'), 'approved');
      await decide(client, await request(client, 'annual', '08-10'), 'approved');
      expect(await days(client)).toEqual(['8 annual', '9 sick', '10 annual']);
    }));
});

test('of two requests for the same days at the same moment one is stored', async () => {
  const send = async () => {
    const client = await database.owner.connect();
    try {
      await client.query('begin');
      await request(client, 'annual', '07-09');
      await client.query('commit');
      return 'stored';
    } catch {
      await client.query('rollback');
      return 'refused';
    } finally {
      client.release();
    }
  };
  expect((await Promise.all([send(), send(), send()])).sort()).toEqual([
    'refused',
    'refused',
    'stored',
  ]);
});
