// The real server on its own database, with supabase-js clients.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import ws from 'ws';
import { readConfig } from '#backend/config.ts';
import { type Running, startBackend } from '#backend/start.ts';
import { cleanUp } from './clean-up.ts';
import { freshDatabase, type TestDatabase } from './database.ts';

export interface TestServer extends Running {
  database: TestDatabase;
  /** A client without a session and with its own storage, like a separate browser. */
  client(key?: string): SupabaseClient;
  /** A client that signed up as a new user. */
  signedUp(fullName?: string): Promise<{ client: SupabaseClient; id: string; email: string }>;
}

export const PASSWORD = 'correct-horse-7';

export const ORGANISATION = {
  name: 'Example Company',
  shortName: 'Example',
  email: 'office@example.test',
  addressLabel: '1 Example Street',
  hotline: '+1 555 0100',
  timeZone: 'UTC',
};

const PROJECTS = path.resolve(import.meta.dirname, '..', 'projects');
export const SOURCES = path.resolve(import.meta.dirname, '..', '..', 'src');

type Environment = Record<string, string>;

/** @param progress called with the name of each long step, and with warnings */
export const startProject = (
  env: Environment,
  progress?: (message: string) => void,
): Promise<Running> =>
  startBackend({
    ...(progress ? { progress } : {}),
    config: readConfig(env, PROJECTS),
    sourceDir: SOURCES,
    application: { organisation: ORGANISATION },
  });

/** The starter project. @param env settings besides the defaults of test servers */
export async function testServer(env: Environment = {}): Promise<TestServer> {
  return startTestServer(await freshDatabase(), { PROJECT_DIR: 'starter', ...env }, (all) =>
    startProject(all),
  );
}

/** @param name folder in tests/projects */
export async function otherProject(name: string, env: Environment = {}): Promise<TestServer> {
  return startTestServer(await freshDatabase('nothing'), { PROJECT_DIR: name, ...env }, (all) =>
    startProject(all),
  );
}

/** @param start starts the program with an environment */
export async function startTestServer(
  database: TestDatabase,
  env: Environment,
  start: (env: Environment) => Promise<Running>,
): Promise<TestServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'test-server-'));
  const running = await start({
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'error',
    ...env,
  });
  const clients: SupabaseClient[] = [];
  cleanUp(async () => {
    await Promise.all(clients.map((client) => client.removeAllChannels()));
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const client = (key = running.context.keys.anonKey): SupabaseClient => {
    const made = createClient(running.url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      // Node 20 has no built-in WebSocket.
      realtime: { transport: ws as never },
    });
    clients.push(made);
    return made;
  };
  return {
    ...running,
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
      if (error || !data.user) throw error ?? new Error('Sign-up returned no user.');
      return { client: made, id: data.user.id, email };
    },
  };
}

/** Freezes the server's clock, so that per-second limits don't depend on the machine's speed. */
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
