import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  bystander,
  dispatcher,
  guardHere,
  hr,
  opsManager,
  type Person,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, attempt, become, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

/** Assigns the person to a new shift at the site; `from` and `to` are SQL. */
async function assign(client: PoolClient, person: Person, from: string, to: string) {
  await client.query(
    `with shift as (
       insert into shifts (site_id, start_time, end_time) values ($1, ${from}, ${to}) returning id
     )
     insert into assignments (shift_id, user_id) select id, $2 from shift`,
    [scene.sites.here, person.id],
  );
}

describe('conflicts of a leave request', () => {
  /** Two colleagues with shifts and overlapping leave requests. @returns one of the requests */
  const assigned = async (client: PoolClient) => {
    await assign(
      client,
      guardHere,
      `current_date + interval '40 days 18 hours'`,
      `current_date + interval '41 days 6 hours'`,
    );
    await assign(
      client,
      bystander,
      `current_date + interval '38 days 8 hours'`,
      `current_date + interval '38 days 16 hours'`,
    );
    return scene.rows.leave_requests.find((row) => row.owner === guardHere.id)?.id;
  };

  test('are the person’s shifts in that period, and colleagues of the same site on leave', async () => {
    await rolledBack(database.owner, async (client) => {
      const request = await assigned(client);
      await become(client, hr);
      const shifts = await client.query('select site_name from leave_shifts($1)', [request]);
      expect(shifts.rows).toEqual([{ site_name: 'Here' }]);
      const colleagues = await client.query(
        'select person_name, status, site_names from leave_colleagues($1)',
        [request],
      );
      expect(colleagues.rows).toEqual([
        { person_name: bystander.name, status: 'pending', site_names: ['Here'] },
      ]);
    });
  });

  test('are empty for a caller who can’t read the request', async () => {
    await rolledBack(database.owner, async (client) => {
      const request = await assigned(client);
      await become(client, supervisorHere);
      for (const name of ['leave_shifts', 'leave_colleagues']) {
        expect((await client.query(`select from ${name}($1)`, [request])).rowCount).toBe(0);
      }
    });
  });

  test('are listed in the overview with the person’s name and days', async () => {
    const rows = await asPerson(
      database.owner,
      hr,
      'select person_name, days from leave_overview where user_id = $1',
      [guardHere.id],
    );
    expect(rows).toEqual([{ person_name: guardHere.name, days: 5 }]);
  });
});

describe('decide_leave', () => {
  const request = () => scene.rows.leave_requests.find((row) => row.owner === guardHere.id)?.id;
  const decide =
    'select status, decision_note, decided_by, decided_at is not null as dated from decide_leave($1, $2, $3)';

  test('approves or rejects with a note, once', async () => {
    await rolledBack(database.owner, async (client) => {
      await become(client, hr);
      const { rows } = await client.query(decide, [request(), 'approved', 'Enjoy']);
      expect(rows).toEqual([
        { status: 'approved', decision_note: 'Enjoy', decided_by: hr.id, dated: true },
      ]);
      await become(client, opsManager);
      await expect(client.query(decide, [request(), 'rejected', null])).rejects.toThrow(
        'This request was already approved.',
      );
    });
  });

  test('cancels approved leave, with a note for the person and the activity log', async () => {
    await rolledBack(database.owner, async (client) => {
      const cancel = (note: string) => client.query(decide, [request(), 'cancelled', note]);
      await become(client, opsManager);
      expect(await attempt(client, () => cancel('Not yet decided'))).toBe('PT409');
      await client.query(decide, [request(), 'approved', 'Enjoy']);
      expect(await attempt(client, () => cancel(' '))).toBe('23514');
      await become(client, guardHere);
      expect(await attempt(client, () => cancel('By myself'))).toBe(REFUSED);
      await become(client, hr);
      expect((await cancel('The embassy asked for more guards')).rows).toEqual([
        {
          status: 'cancelled',
          decision_note: 'The embassy asked for more guards',
          decided_by: hr.id,
          dated: true,
        },
      ]);
      await become(client, guardHere);
      const { rows: seen } = await client.query(
        'select status, decision_note from leave_requests where id = $1',
        [request()],
      );
      expect(seen).toEqual([
        { status: 'cancelled', decision_note: 'The embassy asked for more guards' },
      ]);
      await become(client, admin);
      const { rows: recorded } = await client.query(
        `select actor_id, old_values ->> 'status' as was, new_values ->> 'decision_note' as note
         from audit_log where row_id = $1 and new_values ->> 'status' = 'cancelled'`,
        [request()],
      );
      expect(recorded).toEqual([
        { actor_id: hr.id, was: 'approved', note: 'The embassy asked for more guards' },
      ]);
      await become(client, hr);
      await expect(cancel('Twice')).rejects.toThrow('This request was already cancelled.');
    });
  });

  test.each([
    [guardHere, 'approved', REFUSED],
    [dispatcher, 'approved', 'PT404'],
    [dispatcher, 'cancelled', '23514'],
    [hr, 'pending', '23514'],
  ])('as $name to %s', async (person, status, code) => {
    await expect(
      asPerson(database.owner, person, decide, [request(), status, null]),
    ).rejects.toMatchObject({ code });
  });
});
