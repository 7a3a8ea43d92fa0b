// How a command beside the server reaches the embedded PostgreSQL that the server has started.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { StartError } from '../../start-error.ts';
import { knownPassword } from './password.ts';

/** Line of postmaster.pid that holds the port. */
const PORT_LINE = 3;

/**
 * @param dataDir absolute DATA_DIR
 * @throws StartError when no server runs on it
 */
export async function runningConnection(dataDir: string): Promise<pg.ClientConfig> {
  const file = path.join(dataDir, 'postgres', 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new StartError(
      `No server runs on ${dataDir}. Start it (npm start), then run this again.`,
    );
  });
  const password = await knownPassword(dataDir);
  return {
    host: '127.0.0.1',
    port: Number(text.split('\n')[PORT_LINE]),
    user: 'postgres',
    password,
    database: 'postgres',
  };
}
