// A start on a damaged DATA_DIR ends with one sentence that names the file and what to do.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { StartError } from '#backend/start-error.ts';
import { freshDatabase, type TestDatabase } from '#tests/support/database.ts';
import { startProject } from '#tests/support/server.ts';

let database: TestDatabase;
let root: string;

beforeAll(async () => {
  database = await freshDatabase();
  root = await mkdtemp(path.join(tmpdir(), 'test-damaged-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** @returns what servers left open in the database, which keeps their process running */
async function openConnections(): Promise<unknown[]> {
  const { rows } = await database.owner.query(
    `select application_name, backend_type, left(query, 60) as query from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  return rows;
}

/** @returns the sentence, with DATA_DIR as `…` */
async function complaint(
  damage: (dataDir: string) => Promise<unknown>,
  env: Record<string, string> = { DATABASE_URL: database.url },
): Promise<string> {
  const dataDir = await mkdtemp(path.join(root, 'data-'));
  await damage(dataDir);
  const start = startProject({
    ...{ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'fatal', PROJECT_DIR: 'starter' },
    DATA_DIR: dataDir,
    ...env,
  });
  const error = await start.then(
    ({ stop }) => stop().then(() => undefined),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartError);
  // PostgreSQL ends a session a moment after its client.
  await expect.poll(openConnections).toEqual([]);
  return String((error as StartError).message).replaceAll(dataDir, '…');
}

const file = (name: string) => (dataDir: string) =>
  writeFile(path.join(dataDir, name), 'no folder');
const folder = (name: string) => (dataDir: string) =>
  mkdir(path.join(dataDir, name, 'inner'), { recursive: true });

it.each(['storage', 'keys', 'uploads', 'outbox'])('%s is a file', async (name) => {
  expect(await complaint(file(name))).toBe(
    `…/${name} is a file, where the server needs a folder. Move it away, or restore DATA_DIR from a backup.`,
  );
});

it('the folder of objects is a file', async () => {
  const damage = async (dataDir: string) => {
    await mkdir(path.join(dataDir, 'storage'));
    await file('storage/objects')(dataDir);
  };
  expect(await complaint(damage)).toContain('…/storage/objects is a file');
});

it.each(['keys/jwt.json', 'keys/gateway.json', 'server.lock'])('%s is a folder', async (name) => {
  expect(await complaint(folder(name))).toBe(
    `…/${name} is a folder, where the server needs a file. Move it away, or restore DATA_DIR from a backup.`,
  );
});

it('the database is a file, or has lost its version', async () => {
  expect(await complaint(file('postgres'), {})).toContain(
    '…/postgres is not a PostgreSQL database',
  );
  expect(await complaint(folder('postgres/PG_VERSION'), {})).toContain(
    '…/postgres/PG_VERSION is a folder, where the server needs a file.',
  );
});
