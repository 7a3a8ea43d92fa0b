// Documents of people: who handles them, and what the activity log says of them.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, guardHere, people } from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

const asAdmin = <T>(work: (client: PoolClient) => Promise<T>): Promise<T> =>
  rolledBack(database.owner, async (client) => {
    await become(client, admin);
    return work(client);
  });

describe('documents of a person', () => {
  const path = `${guardHere.id}/contract.pdf`;
  const insert = (name: string) =>
    `insert into storage.objects (bucket_id, name, version) values ('people', '${name}', gen_random_uuid())`;
  const managers = ['admin', 'ops_manager', 'hr'];

  test.each(people)('are for people managers: $name', async (person) => {
    const isManager = !person.closed && person.roles.some((role) => managers.includes(role));
    await rolledBack(database.owner, async (client) => {
      await client.query(insert(path));
      await become(client, person);
      const read = () => client.query(`select from storage.objects where bucket_id = 'people'`);
      const add = () => client.query(insert(`${guardHere.id}/id-card.jpg`));
      if (person.claims !== null) expect((await read()).rowCount).toBe(isManager ? 1 : 0);
      expect(await attempt(client, add)).toBe(isManager ? undefined : REFUSED);
      await attempt(client, () =>
        client.query(`delete from storage.objects where name = '${path}'`),
      );
      await becomeOwner(client);
      const left = await client.query('select from storage.objects where name = $1', [path]);
      expect(left.rowCount).toBe(isManager ? 0 : 1);
    });
  });

  test('are in the activity log of the person: who added and removed which', async () => {
    await asAdmin(async (client) => {
      await client.query(insert(path));
      await client.query(`delete from storage.objects where name = '${path}'`);
      const { rows } = await client.query(
        `select action, actor_id, coalesce(new_values, old_values) as file from audit_log
         where table_name = 'documents' and row_id = $1 order by at`,
        [guardHere.id],
      );
      const file = { name: 'contract.pdf', user_id: guardHere.id };
      expect(rows).toEqual([
        { action: 'insert', actor_id: admin.id, file },
        { action: 'delete', actor_id: admin.id, file },
      ]);
    });
  });

  test('belong to a person who exists', async () => {
    await asAdmin(async (client) => {
      const stray = insert(`${scene.sites.here}/contract.pdf`);
      expect(await attempt(client, () => client.query(stray))).toBe(REFUSED);
    });
  });
});
