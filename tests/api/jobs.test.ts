// A job of the database that takes longer than anybody should wait.
import { expect, test } from 'vitest';
import { type TestServer, testServer } from '#tests/support/server.ts';

/** Until the returned connection is closed, the job that ends offers waits in the middle of its work. */
async function holdUpOffers({ database: { owner } }: TestServer) {
  const gate = await owner.connect();
  await gate.query('select pg_advisory_lock(77)');
  await owner.query(`
    create or replace function private.close_due_offers() returns integer language plpgsql as $$
    begin
      insert into private.jobs (name) values ('half a job');
      perform pg_advisory_lock(77);
      return 1;
    end $$;
    update private.jobs set next_at = now() where name = 'private.close_due_offers'`);
  const held = async () => {
    const { rows } = await gate.query<{ jobs: number }>(
      `select count(*)::int as jobs from pg_stat_activity
       where datname = current_database() and wait_event = 'advisory' and query like '%run_job%'`,
    );
    return rows[0]?.jobs;
  };
  await expect.poll(held).toBe(1);
  return { gate, held };
}

test('is cancelled by a stop, and leaves nothing behind', async () => {
  const server = await testServer();
  const { gate, held } = await holdUpOffers(server);
  await server.stop();
  expect(await held()).toBe(0);
  const { rows } = await gate.query(`select from private.jobs where name = 'half a job'`);
  expect(rows).toEqual([]);
  gate.release();
});

test('does not delay the alerts', async () => {
  const server = await testServer();
  const { gate, held } = await holdUpOffers(server);
  const rounds = async () => {
    const { rows } = await gate.query<{ runs: number }>(
      `select runs::int from private.jobs where name = 'private.raise_due_alerts'`,
    );
    return rows[0]?.runs ?? 0;
  };
  const before = await rounds();
  await expect.poll(rounds).toBeGreaterThan(before + 1);
  expect(await held()).toBe(1);
  await gate.query('select pg_advisory_unlock(77)');
  gate.release();
});
