// The real server on its own database, and supabase-js clients for it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Running } from 'supabase-in-node';
import ws from 'ws';
import { type AppConfig, readConfig } from '#server/config.ts';
import { startServer } from '#server/start.ts';
import { cleanUp } from './clean-up.ts';
import { freshDatabase, type TestDatabase } from './database.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

export interface TestServer extends Running {
  config: AppConfig;
  database: TestDatabase;
  /** A client without a session; each has its own storage, as each browser has. */
  client(key?: string): SupabaseClient;
  /** A client that signed up as a new user. */
  signedUp(fullName?: string): Promise<{ client: SupabaseClient; id: string; email: string }>;
}

export const PASSWORD = 'correct-horse-7';

/** @param env settings beside those that a test server needs */
export async function testServer(env: Record<string, string> = {}): Promise<TestServer> {
  return serverOn(await freshDatabase(), env);
}

/**
 * The server of a project that has nothing to do with ours.
 * @param name folder in tests/projects
 */
export async function otherProject(
  name: string,
  env: Record<string, string> = {},
): Promise<TestServer> {
  const dir = path.join(ROOT, 'tests', 'projects', name);
  return serverOn(await freshDatabase('template1'), { PROJECT_DIR: dir, ...env });
}

async function serverOn(database: TestDatabase, env: Record<string, string>): Promise<TestServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'statesman-server-'));
  const config = readConfig(
    {
      HOST: '127.0.0.1',
      PORT: '0',
      DEMO: 'off',
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      LOG_LEVEL: 'error',
      ...env,
    },
    ROOT,
  );
  const running = await startServer({ config });
  const clients: SupabaseClient[] = [];
  cleanUp(async () => {
    await Promise.all(clients.map((client) => client.removeAllChannels()));
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const client = (key = running.context.keys.anonKey): SupabaseClient => {
    const made = createClient(running.url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      // Node 20 has no WebSocket of its own.
      realtime: { transport: ws as never },
    });
    clients.push(made);
    return made;
  };
  return {
    ...running,
    config,
    database,
    client,
    signedUp: async (fullName = 'Test Person') => {
      const made = client();
      const email = `${crypto.randomUUID()}@test.example`;
      const { data, error } = await made.auth.signUp({
        email,
        password: PASSWORD,
        options: { data: { full_name: fullName } },
      });
      if (error || !data.user) throw error ?? new Error('Sign-up gave no user.');
      return { client: made, id: data.user.id, email };
    },
  };
}

/** Lets the server's clock stand still during the work, so that what it counts by the second does not depend on the machine. */
export async function atOneMoment(server: TestServer, work: () => Promise<void>): Promise<void> {
  const { context } = server;
  const { now } = context;
  const moment = now();
  context.now = () => moment;
  try {
    await work();
  } finally {
    context.now = now;
  }
}
