// The first start of the demo, interrupted in each half: the next one goes on, and nothing is missing or there twice.
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import ws from 'ws';
import { z } from 'zod';
import { runningConnection } from '#backend/database/embedded/postmaster.ts';
import { withClient } from '#backend/database/with-client.ts';
import { DEMO_PASSWORD } from '#demo/accounts.ts';
import { emptyFolder, ended, interrupted, kill, started, stopped } from './program.ts';

const Config = z.object({ supabaseAnonKey: z.string(), isDemoFilling: z.boolean().optional() });
const Ready = z.object({ demoHistory: z.string().optional() });

const configOf = async (url: string) =>
  Config.parse(await (await fetch(`${url}/app-config.json`)).json());
const historyOf = async (url: string) =>
  Ready.parse(await (await fetch(`${url}/readyz`)).json()).demoHistory;

async function office(url: string): Promise<SupabaseClient> {
  const client = createClient(url, (await configOf(url)).supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: ws as never },
  });
  const { error } = await client.auth.signInWithPassword({
    email: 'admin@statesman.example',
    password: DEMO_PASSWORD,
  });
  expect(error).toBeNull();
  return client;
}

const countOf = async (client: SupabaseClient, table: string): Promise<number> => {
  const { count, error } = await client.from(table).select('*', { count: 'exact', head: true });
  expect(error).toBeNull();
  return count ?? 0;
};

const namesOf = async (client: SupabaseClient, name: string) =>
  (await client.from('clients').select('name').eq('name', name)).data;

describe('the demo company', () => {
  it('is complete after a kill in each half and a Ctrl-C', { timeout: 900_000 }, async () => {
    const env = { DATA_DIR: await emptyFolder(), DEMO: 'on' };
    await interrupted(env, 'Loading the demo company', 'SIGKILL');

    const second = await started(env);
    expect(await historyOf(second.url)).toBe('filling');
    expect((await configOf(second.url)).isDemoFilling).toBe(true);
    const client = await office(second.url);
    expect(await countOf(client, 'sites')).toBe(90);
    expect(await countOf(client, 'attendance')).toBeGreaterThan(30_000);
    // Users work meanwhile, and the control room's jobs leave the half-filled hours alone.
    const written = await client
      .from('clients')
      .insert({ name: 'New Client', location: 'Sinkor', number_of_guards: 2, monthly_rate: 900 });
    expect(written.error).toBeNull();
    const held = await withClient(await runningConnection(env.DATA_DIR), (owner) =>
      owner.query<{ name: string }>(
        `select name from private.jobs where next_at > now() + interval '30 minutes' and name <> 'nightly_roster'`,
      ),
    );
    expect(held.rows.map(({ name }) => name).sort()).toEqual([
      'private.apply_pay_bases',
      'private.check_billed_timesheets',
      'private.due_time',
      'private.sum_for_margin',
      'private.tell_of_due_dates',
    ]);
    await expect.poll(() => countOf(client, 'timesheets'), { timeout: 300_000 }).toBeGreaterThan(0);
    await kill(second.child, 'SIGKILL');

    const third = await started(env);
    expect(await historyOf(third.url)).toBe('filling');
    expect(await kill(third.child, 'SIGINT')).toBe(0);

    const { code, output } = await ended({ ...env, DEMO: 'off' });
    expect(code).toBe(1);
    expect(output).toContain('This database holds the demo accounts');

    const fourth = await started(env);
    await expect.poll(() => historyOf(fourth.url), { timeout: 600_000 }).toBeUndefined();
    expect((await configOf(fourth.url)).isDemoFilling).toBeUndefined();
    const again = await office(fourth.url);
    expect(await namesOf(again, 'New Client')).toHaveLength(1);
    const { data: runs } = await again.from('pay_runs').select('status').order('period_start');
    expect(runs?.map(({ status }) => status)).toEqual(['paid', 'paid', 'locked', 'calculated']);
    expect(await countOf(again, 'invoices')).toBeGreaterThan(100);
    await withClient(await runningConnection(env.DATA_DIR), async (owner) => {
      const { rows } = await owner.query(
        `select d.state, (select count(*)::int from private.jobs where next_at > now() + interval '30 minutes'
            and name not in ('private.apply_pay_bases', 'nightly_roster')) as held,
          (select count(*)::int from (select from public.timesheets group by user_id, period_start having count(*) > 1) t)
            as twice
         from platform.demo d`,
      );
      expect(rows).toEqual([{ state: 'loaded', held: 0, twice: 0 }]);
    });
    await stopped(fourth.child);

    const warm = await started(env);
    expect(await historyOf(warm.url)).toBeUndefined();
  });
});
