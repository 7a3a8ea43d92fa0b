import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { StartError } from '../../start-error.ts';
import { readPassword } from './password.ts';

/** Zero-based line of postmaster.pid with the port (PostgreSQL source, `miscadmin.h`). */
const PORT_LINE = 3;

/**
 * Connection settings for a command that runs beside the server.
 * @param dataDir absolute DATA_DIR
 * @throws StartError when no server runs on it
 */
export async function runningConnection(dataDir: string): Promise<pg.ClientConfig> {
  const file = path.join(dataDir, 'postgres', 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new StartError(
      `No server is running on ${dataDir}. Start it with npm start, then run this command again.`,
    );
  });
  const password = await readPassword(dataDir);
  return {
    host: '127.0.0.1',
    port: Number(text.split('\n')[PORT_LINE]),
    user: 'postgres',
    password,
    database: 'postgres',
  };
}
