// What those who fill seats get when published seats lose their guards: one notice an action, with the way to fill them.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  bystander,
  dispatcher,
  guardHere,
  opsManager,
  type Person,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { NOBODY_ON_DUTY } from '#tests/support/replacement-story.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(LENIENT_RULES);
  await database.owner.query(NOBODY_ON_DUTY);
});

/** A night of each of these days of 2035 at the site "Here", with guardHere. */
async function addNights(client: PoolClient, ...days: string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `insert into shifts (site_id, start_time, end_time)
     select $1, d + time '18:00', d + interval '1 day 6 hours' from unnest($2::date[]) d returning id`,
    [scene.sites.here, days.map((day) => `2035-${day}`)],
  );
  const ids = rows.map(({ id }) => id);
  await client.query('insert into assignments (shift_id, user_id) select unnest($1::uuid[]), $2', [
    ids,
    guardHere.id,
  ]);
  await client.query('set constraints all immediate; delete from notices');
  return ids;
}

/** Does something as one action of a person. */
async function act(
  client: PoolClient,
  person: Person,
  ...steps: [sql: string, values?: unknown[]][]
) {
  await client.query('set constraints all deferred');
  await become(client, person);
  for (const [sql, values] of steps) await client.query(sql, values);
  await client.query('set constraints all immediate');
}

async function notices(client: PoolClient) {
  await becomeOwner(client);
  const { rows } = await client.query<{
    user_id: string;
    title: string;
    body: string;
    link: string;
  }>(
    `select user_id, title, body, link from notices where kind in ('empty_seats', 'declined') order by title, user_id`,
  );
  return rows;
}

const readers = async (client: PoolClient) => (await notices(client)).map(({ user_id }) => user_id);

const LEAVE = `insert into leave_requests (user_id, type, start_date, end_date, reason, status)
  values ($1, 'annual', $2, $3, 'Family', 'pending') returning id`;

async function requestLeave(client: PoolClient, from: string, to: string): Promise<string> {
  await becomeOwner(client);
  const { rows } = await client.query<{ id: string }>(LEAVE, [guardHere.id, from, to]);
  return rows[0]?.id ?? '';
}

describe('planners and dispatchers get one notice', () => {
  test('of an approval that empties several seats, with their number and the gaps of the roster', () =>
    rolledBack(database.owner, async (client) => {
      await addNights(client, '01-01', '01-02', '01-03', '01-20');
      const leave = await requestLeave(client, '2035-01-01', '2035-01-04');
      await act(client, opsManager, [`select decide_leave($1, 'approved')`, [leave]]);
      // Not who did it.
      expect(await readers(client)).toEqual([supervisorHere.id, dispatcher.id].sort());
      expect((await notices(client))[0]).toEqual({
        user_id: expect.any(String),
        title: '3 seats are empty: Here',
        body: ['Mon, Jan 1', 'Tue, Jan 2', 'Wed, Jan 3']
          .map((day) => `Here, ${day}, 6:00 PM to 6:00 AM: ${guardHere.name}, on leave`)
          .join('\n'),
        link: `/admin/roster?gaps=open&week=2035-01-01&site=${scene.sites.here}`,
      });
    }));

  test('of a no-show before the start, which opens who could come', () =>
    rolledBack(database.owner, async (client) => {
      const [id] = await addNights(client, '01-01');
      await client.query(
        `update shifts set start_time = now() + interval '1 hour', end_time = now() + interval '9 hours'`,
      );
      await act(client, dispatcher, [
        `select mark_no_show(id, 'Rang off') from assignments where shift_id = $1`,
        [id],
      ]);
      expect(await readers(client)).toEqual([supervisorHere.id, opsManager.id].sort());
      expect((await notices(client))[0]).toMatchObject({
        title: 'A seat is empty: Here',
        body: expect.stringMatching(/: guard on the site, marked as no-show$/),
        link: `/admin/shifts?open=${id}&tab=replacement`,
      });
    }));

  test('when an employment ends, and when a guard is taken off', () =>
    rolledBack(database.owner, async (client) => {
      const [first] = await addNights(client, '01-01', '02-02');
      await act(client, dispatcher, [
        `select assign_guards($1, '{}', array[$2]::uuid[])`,
        [first, guardHere.id],
      ]);
      expect((await notices(client))[0]?.body).toMatch(/Jan 1.*, unassigned$/);
      await client.query('delete from notices');
      await act(client, admin, [
        'select end_employment($1, private.company_date())',
        [guardHere.id],
      ]);
      expect(await readers(client)).toEqual(
        [supervisorHere.id, opsManager.id, dispatcher.id].sort(),
      );
      expect((await notices(client))[0]?.body).toMatch(/Feb 2.*, employment ended$/);
    }));

  test('of a guard who declines, with the reason', () =>
    rolledBack(database.owner, async (client) => {
      await addNights(client, '01-01');
      const { rows } = await client.query('select id from assignments');
      await act(client, guardHere, [
        `select answer_assignment($1, 'decline', 'Ill')`,
        [rows[0].id],
      ]);
      expect(await readers(client)).toEqual(
        [supervisorHere.id, opsManager.id, dispatcher.id].sort(),
      );
      expect((await notices(client))[0]?.body).toMatch(/Reason: Ill$/);
    }));
});

describe('nobody gets one', () => {
  test('when the seat is filled again in the same action', () =>
    rolledBack(database.owner, async (client) => {
      const [id] = await addNights(client, '01-01');
      await act(client, opsManager, [
        'select assign_guards($1, array[$2]::uuid[], array[$3]::uuid[])',
        [id, bystander.id, guardHere.id],
      ]);
      expect(await notices(client)).toEqual([]);
    }));

  test('when the shift still has its guards, is over, runs, or is deleted', () =>
    rolledBack(database.owner, async (client) => {
      const [id] = await addNights(client, '01-01');
      await client.query('insert into assignments (shift_id, user_id) values ($1, $2)', [
        id,
        bystander.id,
      ]);
      const unassign: [string, unknown[]] = [
        `select assign_guards($1, '{}', array[$2]::uuid[])`,
        [id, guardHere.id],
      ];
      await act(client, dispatcher, unassign);
      expect(await notices(client)).toEqual([]);
      await client.query(
        `update shifts set start_time = now() - interval '1 hour', end_time = now() + interval '9 hours'`,
      );
      await act(client, dispatcher, [unassign[0], [id, bystander.id]]);
      expect(await notices(client)).toEqual([]);
      const [next] = await addNights(client, '01-05');
      await act(client, opsManager, [`select delete_records('shifts', array[$1]::uuid[])`, [next]]);
      expect(await notices(client)).toEqual([]);
    }));

  test('who neither plans the site nor manages operations', () =>
    rolledBack(database.owner, async (client) => {
      await addNights(client, '01-01');
      const leave = await requestLeave(client, '2035-01-01', '2035-01-04');
      await act(client, opsManager, [`select decide_leave($1, 'approved')`, [leave]]);
      expect(await readers(client)).not.toContain(supervisorElsewhere.id);
    }));
});

test('seats of several weeks open four weeks of gaps', () =>
  rolledBack(database.owner, async (client) => {
    await addNights(client, '01-03', '01-10');
    const leave = await requestLeave(client, '2035-01-01', '2035-01-20');
    await act(client, opsManager, [`select decide_leave($1, 'approved')`, [leave]]);
    expect((await notices(client))[0]?.link).toBe(
      `/admin/roster?gaps=open&week=2035-01-03&weeks=4&site=${scene.sites.here}`,
    );
  }));
