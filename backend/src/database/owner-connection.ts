import type { ClientConfig } from 'pg';
import type { Config } from '../config.ts';
import { connectionFromUrl } from './connection-url.ts';
import { runningConnection } from './embedded/running.ts';

/** The owner's connection to the database of a running server, for scripts beside it. @throws StartError */
export async function ownerConnection(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Promise<ClientConfig> {
  return config.databaseUrl === undefined
    ? runningConnection(config.dataDir)
    : connectionFromUrl(config.databaseUrl);
}
