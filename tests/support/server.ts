// The company's server on a database of its own.
import path from 'node:path';
import { freshDatabase } from 'supabase-in-node/testing/database';
import { startTestServer, type TestServer } from 'supabase-in-node/testing/server';
import { type AppConfig, readConfig } from '#server/config.ts';
import { startServer } from '#server/start.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

export type { TestServer };

/**
 * @param env settings beside those that a test server needs
 * @param changes to the configuration read from them
 */
export async function testServer(
  env: Record<string, string> = {},
  changes: Partial<AppConfig> = {},
): Promise<TestServer> {
  return startTestServer(await freshDatabase(), { DEMO: 'off', ...env }, (all) =>
    startServer({ config: { ...readConfig(all, ROOT), ...changes } }),
  );
}

/** Another process of the same company: same database, own port and folder. */
export async function secondServer(
  { database }: TestServer,
  env: Record<string, string> = {},
): Promise<TestServer> {
  return startTestServer(database, { DEMO: 'off', ...env }, (all) =>
    startServer({ config: readConfig(all, ROOT) }),
  );
}
