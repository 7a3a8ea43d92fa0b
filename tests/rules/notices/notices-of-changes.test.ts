// The notices that guards get when another user changes their shifts or decides their leave.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { bystander, dispatcher, guardHere, hr, opsManager } from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(LENIENT_RULES);
});

/** Two night shifts to come and one long ago, all with guardHere. @returns their ids */
async function addShifts(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `insert into shifts (site_id, start_time, end_time)
     select $1, d + time '18:00', d + interval '1 day 6 hours'
     from unnest(array[date '2035-01-01', date '2035-01-02', date '2024-01-01']) d returning id`,
    [scene.sites.here],
  );
  const ids = rows.map(({ id }) => id);
  await client.query('insert into assignments (shift_id, user_id) select unnest($1::uuid[]), $2', [
    ids,
    guardHere.id,
  ]);
  await client.query('delete from notices');
  return ids;
}

async function noticesOf(client: PoolClient, person: { id: string }) {
  await becomeOwner(client);
  const { rows } = await client.query<{ title: string; body: string; link: string }>(
    'select title, body, link from notices where user_id = $1 order by title',
    [person.id],
  );
  return rows;
}

const MONDAY = 'Here, Mon, Jan 1, 6:00 PM to 6:00 AM';
const TUESDAY = 'Here, Tue, Jan 2, 6:00 PM to 6:00 AM';
const link = '/staff/shifts';

describe('the guard of a shift to come gets a notice', () => {
  test('when it is moved, with the old time, and not when something else changes', async () => {
    await rolledBack(database.owner, async (client) => {
      const [first, , past] = await addShifts(client);
      await become(client, dispatcher);
      const move = (id: string | undefined) =>
        client.query(
          `update shifts set start_time = start_time + interval '2 hours' where id = $1`,
          [id],
        );
      await client.query(`update shifts set notes = 'Bring a torch', required_headcount = 3`);
      await move(past);
      await move(first);
      expect(await noticesOf(client, guardHere)).toEqual([
        {
          title: 'Shift moved',
          body: `Here, Mon, Jan 1, 8:00 PM to 6:00 AM, before: ${MONDAY}`,
          link,
        },
      ]);
    });
  });

  test('when it is deleted, in one notice with the others, and when that is undone', async () => {
    await rolledBack(database.owner, async (client) => {
      const ids = await addShifts(client);
      await become(client, opsManager);
      const { rows } = await client.query<{ deleted: object[] }>(
        `select delete_records('shifts', $1) as deleted`,
        [ids],
      );
      expect(await noticesOf(client, guardHere)).toEqual([
        { title: 'Shift removed', body: `${MONDAY}\n${TUESDAY}`, link },
      ]);
      await become(client, opsManager);
      await client.query(`select restore_records('shifts', $1)`, [
        JSON.stringify(rows[0]?.deleted),
      ]);
      expect(await noticesOf(client, guardHere)).toEqual([
        { title: 'New shift', body: `${MONDAY}\n${TUESDAY}`, link },
        expect.objectContaining({ title: 'Shift removed' }),
      ]);
    });
  });

  test('when it is copied with its guards', async () => {
    await rolledBack(database.owner, async (client) => {
      const [first] = await addShifts(client);
      await become(client, dispatcher);
      await client.query(`select repeat_shift($1, '2035-01-17', array[3], true)`, [first]);
      expect(await noticesOf(client, guardHere)).toEqual([
        {
          title: 'New shift',
          body: [3, 10, 17].map((day) => `Here, Wed, Jan ${day}, 6:00 PM to 6:00 AM`).join('\n'),
          link,
        },
      ]);
    });
  });

  test('but not of what they do themselves, nor if their assignment is cancelled', async () => {
    await rolledBack(database.owner, async (client) => {
      const [first, second] = await addShifts(client);
      await client.query(`insert into user_roles (user_id, role) values ($1, 'ops_manager')`, [
        guardHere.id,
      ]);
      await client.query(
        'insert into assignments (shift_id, user_id, status) values ($1, $2, $3)',
        [second, bystander.id, 'cancelled'],
      );
      await become(client, guardHere);
      await client.query('delete from shifts where id = any ($1)', [[first, second]]);
      expect(await noticesOf(client, guardHere)).toEqual([]);
      expect(await noticesOf(client, bystander)).toEqual([]);
    });
  });
});

test('the requester of leave gets a notice of the decision, with the note', async () => {
  await rolledBack(database.owner, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into leave_requests (user_id, type, start_date, end_date, reason)
       values ($1, 'annual', '2035-03-01', '2035-03-05', 'Family'), ($1, 'sick', '2035-04-01', '2035-04-01', 'Ill')
       returning id`,
      [guardHere.id],
    );
    await client.query('delete from notices');
    await become(client, hr);
    const decide = (index: number, status: string, note: string | null) =>
      client.query('select decide_leave($1, $2, $3)', [rows[index]?.id, status, note]);
    await decide(0, 'approved', null);
    await decide(1, 'rejected', 'Please bring a note of the clinic.');
    await decide(0, 'cancelled', 'All leave is cancelled.');
    expect(await noticesOf(client, guardHere)).toEqual([
      { title: 'Leave approved', body: 'Annual leave, Mar 1 to Mar 5', link: '/staff/me' },
      {
        title: 'Leave cancelled',
        body: 'Annual leave, Mar 1 to Mar 5\nAll leave is cancelled.',
        link: '/staff/me',
      },
      {
        title: 'Leave rejected',
        body: 'Sick leave, Apr 1\nPlease bring a note of the clinic.',
        link: '/staff/me',
      },
    ]);
  });
});
