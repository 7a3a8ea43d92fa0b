// What was acknowledged stays, whatever is killed; and a stop in order leaves nothing running.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import ws from 'ws';
import { isAlive } from '#server/processes.ts';
import { bareStart, gone, kill, postmasterOf, started } from './program.ts';

const PASSWORD = 'correct-horse-7';

async function client(url: string) {
  const config = (await (await fetch(`${url}/app-config.json`)).json()) as {
    supabaseAnonKey: string;
  };
  return createClient(url, config.supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: ws as never },
  });
}

async function signUp(url: string, email: string): Promise<void> {
  const { error } = await (await client(url)).auth.signUp({ email, password: PASSWORD });
  expect(error).toBeNull();
}

async function expectSignIn(url: string, email: string): Promise<void> {
  const { data, error } = await (await client(url)).auth.signInWithPassword({
    email,
    password: PASSWORD,
  });
  expect(error).toBeNull();
  expect(data.user?.email).toBe(email);
}

describe('start and stop', () => {
  it('makes keys that only the owner may read, and stops in order on SIGTERM', async () => {
    const env = await bareStart();
    const { child } = await started(env);
    for (const file of ['keys/jwt.json', 'keys/postgres-password']) {
      const { mode } = await stat(path.join(env.DATA_DIR, file));
      expect(mode & 0o777, file).toBe(0o600);
    }
    const postmaster = await postmasterOf(env.DATA_DIR);
    expect(await kill(child, 'SIGTERM')).toBe(0);
    expect(isAlive(postmaster)).toBe(false);
  });

  it('stops in order on Ctrl-C while a client is connected', async () => {
    const env = await bareStart();
    const { child, url } = await started(env);
    const realtime = (await client(url)).realtime;
    realtime.connect();
    await fetch(`${url}/healthz`);
    expect(await kill(child, 'SIGINT')).toBe(0);
    await realtime.disconnect();
  });
});

describe('after a kill -9', () => {
  it.each(['the server', 'PostgreSQL', 'both'])(
    'of %s, the next start has every acknowledged write',
    async (victim) => {
      const env = await bareStart();
      const first = await started(env);
      await signUp(first.url, 'before@test.example');
      const postmaster = await postmasterOf(env.DATA_DIR);
      await signUp(first.url, 'just-before@test.example');

      if (victim !== 'the server') process.kill(postmaster, 'SIGKILL');
      if (victim !== 'PostgreSQL') await kill(first.child, 'SIGKILL');
      else {
        await gone(postmaster);
        await kill(first.child, 'SIGTERM');
      }

      const second = await started(env);
      await expectSignIn(second.url, 'before@test.example');
      await expectSignIn(second.url, 'just-before@test.example');
      expect(await kill(second.child, 'SIGTERM')).toBe(0);
    },
  );

  it('of PostgreSQL alone, the running server brings it back by itself', async () => {
    const env = await bareStart();
    const { url } = await started(env);
    await signUp(url, 'kept@test.example');
    const postmaster = await postmasterOf(env.DATA_DIR);
    process.kill(postmaster, 'SIGKILL');
    await gone(postmaster);
    await expect
      .poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 20_000 })
      .toBe(200);
    await expectSignIn(url, 'kept@test.example');
  });
});
