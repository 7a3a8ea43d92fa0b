// A stop while a job of the database takes longer than anybody waits for a server to end.
import { expect, test } from 'vitest';
import { testServer } from '#tests/support/server.ts';

test('a job that runs for long is cancelled, and leaves nothing behind', async () => {
  const { database, stop } = await testServer();
  const gate = await database.owner.connect();
  await gate.query('select pg_advisory_lock(77)');
  await database.owner.query(`
    create or replace function private.close_due_offers() returns integer language plpgsql as $$
    begin
      insert into private.jobs (name) values ('half a job');
      perform pg_advisory_lock(77);
      return 1;
    end $$;
    update private.jobs set next_at = now() where name = 'private.close_due_offers'`);
  const waiting = `select count(*)::int as jobs from pg_stat_activity
    where datname = current_database() and wait_event = 'advisory' and query like '%run_job%'`;
  const jobs = async () => (await gate.query<{ jobs: number }>(waiting)).rows[0]?.jobs;
  await expect.poll(jobs).toBe(1);

  await stop();

  expect(await jobs()).toBe(0);
  const { rows } = await gate.query(`select from private.jobs where name = 'half a job'`);
  expect(rows).toEqual([]);
  gate.release();
});
