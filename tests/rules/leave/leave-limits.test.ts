// What a leave request may say, and who cancels it.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { guardHere, hr } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, attempt, become, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const CHECK = '23514';
const MISSING = '23502';

describe('leave', () => {
  const ask = `insert into leave_requests (user_id, type, start_date, end_date, reason) values ($1, $2, $3, $4, $5) returning status`;

  test.each([
    ['annual', '2033-01-10', '2033-01-09', 'Rest', CHECK],
    ['holiday', '2033-01-10', '2033-01-12', 'Rest', CHECK],
    ['annual', '2033-01-10', '2033-01-12', ' ', MISSING],
  ])('%s from %s to %s for %j is refused', async (type, from, to, reason, code) => {
    await expect(
      asPerson(database.owner, guardHere, ask, [guardHere.id, type, from, to, reason]),
    ).rejects.toMatchObject({ code });
  });

  test.each([
    ['sick', -7, undefined],
    ['sick', -8, CHECK],
    ['annual', 0, undefined],
    ['annual', -1, CHECK],
    ['emergency', -1, CHECK],
  ])('%s from day %i on: %s', async (type, days, expected) => {
    const sql = `insert into leave_requests (user_id, type, start_date, end_date, reason)
      select $1, $2, d, d + 9, 'Ill' from (select (now() at time zone 'Africa/Monrovia')::date + $3::int) as day (d)`;
    const error = await rolledBack(database.owner, async (client) => {
      await become(client, guardHere);
      return attempt(client, () => client.query(sql, [guardHere.id, type, days]));
    });
    expect(error).toBe(expected);
  });

  test('can’t be requested as already approved', async () => {
    const sql = ask.replace('reason)', 'reason, status)').replace('$5', `$5, 'approved'`);
    const values = [guardHere.id, 'sick', '2033-01-10', '2033-01-10', 'Ill'];
    await expect(asPerson(database.owner, guardHere, sql, values)).rejects.toMatchObject({
      code: REFUSED,
    });
  });

  test.each([
    ['pending', 40, 'cancelled', undefined],
    ['approved', 40, 'cancelled', undefined],
    ['approved', -1, 'cancelled', 'PT409'],
    ['rejected', 40, 'cancelled', 'PT409'],
    ['cancelled', 40, 'pending', REFUSED],
  ])(
    'that is %s and starts in %i days can be %s by the person: %s',
    async (status, days, to, expected) => {
      const error = await rolledBack(database.owner, async (client) => {
        await client.query(
          `update leave_requests set status = $2, start_date = current_date + $3::int, end_date = current_date + $3::int + 5
         where user_id = $1`,
          [guardHere.id, status, days],
        );
        await become(client, guardHere);
        return attempt(client, () => client.query('update leave_requests set status = $1', [to]));
      });
      expect(error).toBe(expected);
    },
  );

  test('that is approved is cancelled by managers only with a reason, which is stored', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(
        `update leave_requests set status = 'approved', decision_note = 'Enjoy' where user_id = $1`,
        [guardHere.id],
      );
      await become(client, hr);
      const change = (values: string) =>
        attempt(client, () =>
          client.query(`update leave_requests set ${values} where user_id = $1`, [guardHere.id]),
        );
      expect(await change(`status = 'cancelled'`)).toBe(CHECK);
      expect(await change(`status = 'cancelled', decision_note = 'Enjoy'`)).toBe(CHECK);
      expect(await change(`status = 'cancelled', decision_note = ' '`)).toBe(CHECK);
      expect(await change(`status = 'cancelled', decision_note = 'Needed here'`)).toBeUndefined();
      expect(await change(`decision_note = null`)).toBe(CHECK);
      expect(await change(`decision_note = 'The embassy needs them'`)).toBeUndefined();
    });
  });

  test('that is pending is cancelled by managers with a reason, by the person without one', async () => {
    const cancel = `update leave_requests set status = 'cancelled' where user_id = $1`;
    await rolledBack(database.owner, async (client) => {
      await become(client, hr);
      expect(await attempt(client, () => client.query(cancel, [guardHere.id]))).toBe(CHECK);
      const withReason = cancel.replace('where', `, decision_note = 'Asked for twice' where`);
      expect((await client.query(withReason, [guardHere.id])).rowCount).toBe(1);
    });
    await rolledBack(database.owner, async (client) => {
      await become(client, guardHere);
      expect((await client.query(cancel, [guardHere.id])).rowCount).toBe(1);
    });
  });

  test('of one day is accepted', async () => {
    const values = [guardHere.id, 'sick', '2033-01-10', '2033-01-10', 'Ill'];
    expect(await asPerson(database.owner, guardHere, ask, values)).toEqual([{ status: 'pending' }]);
  });

  test.each([['approved'], ['rejected']])(
    'is not %s by the person who asked, even with the role',
    async (status) => {
      const sql = 'update leave_requests set status = $2 where user_id = $1';
      await expect(asPerson(database.owner, hr, sql, [hr.id, status])).rejects.toMatchObject({
        code: REFUSED,
      });
    },
  );
});
