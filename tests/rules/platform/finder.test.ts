// The command menu finds every person with a name, plus one more than it shows to know that there are more.
import { randomUUID } from 'node:crypto';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { dispatcher } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

test.each([
  [15, 15],
  [30, 21],
])('of %i people of one name %i are found', async (count, found) => {
  const ids = Array.from({ length: count }, () => randomUUID());
  await rolledBack(database.owner, async (client) => {
    await client.query(
      `insert into auth.users (id, email, raw_user_meta_data)
       select id, id || '@example.com', '{"full_name": "Mercy Dolo"}' from unnest($1::uuid[]) id`,
      [ids],
    );
    await become(client, dispatcher);
    const { rows } = await client.query<{ id: string }>(
      `select id from find_records('mercy dolo') where kind = 'guard'`,
    );
    expect(rows).toHaveLength(found);
    expect(ids).toEqual(expect.arrayContaining(rows.map(({ id }) => id)));
  });
});
