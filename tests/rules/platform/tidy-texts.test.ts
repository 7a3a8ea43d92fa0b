// Texts are trimmed where they are written, of every kind of space that a form trims.
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});

test('spaces around texts are trimmed, and an empty text becomes null', async () => {
  await rolledBack(database.owner, async (client) => {
    const written = await client.query(
      `insert into public.deployments (guard_name, location, client_name, notes, shift_start, shift_end)
       values ($1, 'Old  Road', $2, null, '2031-01-05T06:00Z', '2031-01-05T18:00Z')
       returning id, guard_name, location, client_name, notes`,
      ['\u00a0\u2009Ada\v\r\n', ' \t\u200b\ufeff'],
    );
    const { id, ...texts } = written.rows[0];
    expect(texts).toEqual({
      guard_name: 'Ada',
      location: 'Old  Road',
      client_name: null,
      notes: null,
    });
    const changed = await client.query(
      `update public.deployments set notes = $1, client_name = '' where id = $2 returning notes, client_name`,
      ['\u3000Keys\nat reception\u202f', id],
    );
    expect(changed.rows).toEqual([{ notes: 'Keys\nat reception', client_name: null }]);
  });
});

test('a required text of spaces alone is refused', async () => {
  await rolledBack(database.owner, async (client) => {
    const insert = `insert into public.clients (name, number_of_guards, monthly_rate, location) values (' \u00a0', 1, 1, 'Sinkor')`;
    await expect(client.query(insert)).rejects.toMatchObject({ code: '23502' });
  });
});

test('no table trims in a condition, which PostgreSQL would read for every statement', async () => {
  const { rows } = await database.owner.query(
    `select tgrelid::regclass::text from pg_trigger where tgname = 'a_tidy_text' and (tgqual is not null or tgnargs > 0)`,
  );
  expect(rows).toEqual([]);
});
