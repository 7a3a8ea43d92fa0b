import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  guardElsewhere,
  guardHere,
  opsManager,
  type Person,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query('delete from incident_updates');
});

/** An incident reported by guardHere at the site `here`. */
const incident = () => scene.rows.incidents.find(({ owner }) => owner === guardHere.id)?.id ?? '';

async function change(client: PoolClient, person: Person, set: string) {
  await become(client, person);
  const { rowCount } = await client.query(`update incidents set ${set} where id = $1`, [
    incident(),
  ]);
  return rowCount;
}

async function timeline(client: PoolClient, person: Person) {
  await become(client, person);
  const { rows } = await client.query(
    `select u.from_status, u.to_status, u.created_by, n.note
     from incident_updates u left join incident_notes n on n.id = u.id
     where u.incident_id = $1 order by u.created_at`,
    [incident()],
  );
  return rows;
}

describe('an incident change', () => {
  test('is stored with its author, old and new values, and note', async () => {
    await rolledBack(database.owner, async (client) => {
      await change(client, supervisorHere, `status = 'investigating', notes = ' Police called. '`);
      await change(client, opsManager, `status = 'resolved', notes = '  '`);
      await change(client, admin, `notes = 'The client was informed.'`);
      await change(client, admin, `title = 'Fence broken at the gate'`);
      expect(await timeline(client, supervisorHere)).toEqual([
        {
          from_status: 'open',
          to_status: 'investigating',
          created_by: supervisorHere.id,
          note: 'Police called.',
        },
        {
          from_status: 'investigating',
          to_status: 'resolved',
          created_by: opsManager.id,
          note: null,
        },
        {
          from_status: 'resolved',
          to_status: 'resolved',
          created_by: admin.id,
          note: 'The client was informed.',
        },
      ]);
      await becomeOwner(client);
      const { rows } = await client.query('select status, notes from incidents where id = $1', [
        incident(),
      ]);
      expect(rows).toEqual([{ status: 'resolved', notes: null }]);
    });
  });

  test('is visible to the reporter without the notes', async () => {
    await rolledBack(database.owner, async (client) => {
      await change(client, supervisorHere, `status = 'closed', notes = 'A false alarm again.'`);
      expect(await timeline(client, guardHere)).toEqual([
        { from_status: 'open', to_status: 'closed', created_by: supervisorHere.id, note: null },
      ]);
      expect(await timeline(client, guardElsewhere)).toEqual([]);
      expect(await timeline(client, supervisorElsewhere)).toEqual([]);
    });
  });

  test('that is refused leaves no entry', async () => {
    await rolledBack(database.owner, async (client) => {
      const set = `status = 'closed', notes = 'Nothing to see here.'`;
      expect(await change(client, guardHere, set)).toBe(0);
      expect(await change(client, supervisorElsewhere, set)).toBe(0);
      await become(client, admin);
      const error = await attempt(client, () =>
        client.query(`update incidents set status = 'forgotten' where id = $1`, [incident()]),
      );
      expect(error).toBe('23514');
      expect(await timeline(client, admin)).toEqual([]);
    });
  });

  test('can’t be edited, even by the service role', async () => {
    await rolledBack(database.owner, async (client) => {
      await change(client, admin, `status = 'closed', notes = 'Settled.'`);
      await becomeOwner(client);
      await client.query('set local role service_role');
      for (const sql of [
        `update incident_updates set to_status = 'open'`,
        'delete from incident_updates',
        `update incident_notes set note = 'Nothing.'`,
        'delete from incident_notes',
      ]) {
        expect(await attempt(client, () => client.query(sql))).toBe(REFUSED);
      }
    });
  });
});

test('incidents sort by severity, not alphabetically', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query(`delete from incidents where id not in (select id from incidents limit 4)`);
    await client.query(`
      update incidents i set severity = s.severity, status = s.status
      from (select id, (array['high', 'low', 'critical', 'medium'])[row_number() over ()] as severity,
        (array['closed', 'open', 'resolved', 'investigating'])[row_number() over ()] as status from incidents) s
      where s.id = i.id`);
    await become(client, admin);
    const inOrder = async (column: string, rank: string) =>
      (await client.query(`select ${column} as it from incidents i order by i.${rank}`)).rows.map(
        ({ it }) => it,
      );
    expect(await inOrder('severity', 'severity_rank')).toEqual([
      'low',
      'medium',
      'high',
      'critical',
    ]);
    expect(await inOrder('status', 'status_rank')).toEqual([
      'open',
      'investigating',
      'resolved',
      'closed',
    ]);
  });
});
