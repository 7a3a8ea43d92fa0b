// What the server reports to admins about itself.
import type { SupabaseClient } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import { backupState, systemReport } from '#shared/system-report.ts';
import { testServer } from '#tests/support/server.ts';

const server = await testServer({ LOG_LEVEL: 'fatal' });
const { owner } = server.database;

async function withRole(role: string) {
  const person = await server.signedUp();
  await owner.query('insert into user_roles (user_id, role) values ($1, $2)', [person.id, role]);
  return person.client;
}

const admin = await withRole('admin');

const report = async (client: SupabaseClient) =>
  systemReport.parse((await client.functions.invoke('system-report', { body: {} })).data);
const state = async (client: SupabaseClient) =>
  backupState.parse((await client.functions.invoke('backup-state', { body: {} })).data);

describe('the report of the system', () => {
  it.each(['ops_manager', 'guard'])('is refused to %s, and to visitors', async (role) => {
    for (const client of [await withRole(role), server.client()]) {
      for (const name of ['system-report', 'backup-state']) {
        const { data, error } = await client.functions.invoke(name, { body: {} });
        expect(data).toBeNull();
        expect(error.context.status).toBe(403);
      }
    }
    const bare = await fetch(`${server.url}/functions/v1/system-report`, { method: 'POST' });
    expect(bare.status).toBe(403);
  });

  it('has versions, servers, jobs, queues, sizes and free space', async () => {
    const found = await report(admin);
    expect(found.versions.product).toMatch(/^\d+\.\d+\.\d+$/);
    expect(found.versions.schema).toMatch(/^20\d{12}$/);
    expect(found.nodes.filter(({ isThis }) => isThis)).toHaveLength(1);
    expect(found.nodes[0]?.version).toBe(found.versions.product);
    // The report's own queries don't count.
    expect(found.pools.find(({ pool }) => pool === 'owner')?.waiting).toBe(0);
    expect(found.jobs.map(({ job }) => job)).toContain('private.due_time');
    expect(found.queues.map(({ queue }) => queue)).toContain('notices_push');
    expect(found.storage.tables).toHaveLength(10);
    expect(found.storage.disks[0]?.free).toBeGreaterThan(0);
    expect(found.services.map(({ service }) => service)).toContain('auth');
    expect(JSON.stringify(found)).not.toMatch(/@|secret|postgres:\/\//);
  });

  it('has the last errors of this server with their request ids', async () => {
    const noisy = await testServer({ LOG_LEVEL: 'error' });
    const person = await noisy.signedUp();
    await noisy.database.owner.query(
      `insert into user_roles (user_id, role) values ($1, 'admin')`,
      [person.id],
    );
    await noisy.database.owner.query(
      `create function public.fail() returns int language plpgsql as $$ begin raise 'secret 4711471147' using errcode = '58000'; end $$;
       grant execute on function public.fail to authenticated;
       notify pgrst, 'reload schema'`,
    );
    await expect.poll(async () => (await person.client.rpc('fail')).status).toBe(500);
    const { errors } = await report(person.client);
    expect(errors[0]).toMatchObject({
      what: 'rest request failed',
      request: 'POST /rest/v1/rpc/fail',
    });
    expect(errors[0]?.requestId).toMatch(/^[\w-]{8,64}$/);
    expect(errors[0]?.reason).not.toContain('4711');
  });
});

describe('backups', () => {
  it('are overdue without one, and two days after the last', async () => {
    expect(await state(admin)).toMatchObject({ lastAt: null, isOverdue: true, everyHours: null });
    const add = (age: string) =>
      owner.query(
        `insert into platform.backups (taken_at, file, bytes, is_scheduled) values (now() - $1::interval, '/b/a.backup', 10, false)`,
        [age],
      );
    await add('49 hours');
    expect((await state(admin)).isOverdue).toBe(true);
    await add('47 hours');
    expect((await state(admin)).isOverdue).toBe(false);
    expect((await report(admin)).backups.last).toHaveLength(2);
  });

  it('are not asked for in a demo', async () => {
    const demo = await testServer({}, { demo: true });
    const person = await demo.signedUp();
    await demo.database.owner.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [
      person.id,
    ]);
    expect((await state(person.client)).isOverdue).toBe(false);
  });
});
