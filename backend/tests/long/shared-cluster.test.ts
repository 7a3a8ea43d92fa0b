// Two projects on one PostgreSQL cluster: roles are shared by all databases.
import { expect, it } from 'vitest';
import { freshDatabase } from '#tests/support/database.ts';
import { testServer } from '#tests/support/server.ts';

it('a server starts while another one creates the shared roles', async () => {
  const { owner } = await freshDatabase();
  const other = await owner.connect();
  await other.query('begin');
  await other.query('alter role authenticator connection limit -1');
  const starting = testServer();
  const waits = `select count(*)::int as waiting from pg_stat_activity
    where wait_event_type = 'Lock' and query like 'alter role authenticator %'`;
  await expect
    .poll(async () => (await owner.query(waits)).rows[0]?.waiting, { timeout: 60_000 })
    .toBeGreaterThan(0);
  await other.query('commit');
  other.release();
  const { url } = await starting;
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});
