// Processes on one database must use the same keys, files and address. Each shows what it uses in the name of a connection
// that stays open; one that starts later compares.
import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { Config } from './config.ts';
import type { Keys } from './keys/keys.ts';

/** In the order of the name's parts: what must be the same, and the remedy. */
const PARTS = [
  'signs with other keys, so requests are refused at random: set the same JWT_KEYS for all of them',
  'keeps its files elsewhere, so files are missing at random: set the same STORAGE_URL for all of them',
  'has another SITE_URL, so sign-ins are refused at random: set the same one for all of them',
] as const;

const PREFIX = 'node ';

const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Tells processes apart; a restart is another one. */
const OWN_ID = randomBytes(3).toString('hex');

/** @returns a name with equal first parts for processes that agree; at most 63 bytes, the limit of `application_name` */
export function nodeName(
  config: Pick<Config, 'dataDir' | 'siteUrl' | 'storageUrl' | 'host' | 'port'>,
  { jwks }: Pick<Keys, 'jwks'>,
  version = '0',
): string {
  const here = `${hostname()} ${config.dataDir}`;
  const signing = jwks.keys.map(({ kid }) => kid).sort();
  const values = [signing.join(' '), config.storageUrl ?? here, config.siteUrl ?? here];
  const own = `${version.slice(0, 11)}/${OWN_ID}`;
  return PREFIX + [...values.map(digest), own].join(' ');
}

/** @returns a sentence for each setting in which another running process differs */
export async function disagreements(owner: Pool, own: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and starts_with(application_name, $1)`,
    [PREFIX],
  );
  const ownParts = own.slice(PREFIX.length).split(' ');
  const others = rows.map(({ name }) => name.slice(PREFIX.length).split(' '));
  return PARTS.filter((_, n) => others.some((parts) => parts[n] !== ownParts[n])).map(
    (text) => `Another process on this database ${text}`,
  );
}

interface RunningNode {
  id: string;
  version: string;
  isThis: boolean;
  /** When its oldest connection was opened. */
  since: Date;
}

/** The processes that use this database now, by the names of their connections. */
export async function runningNodes(owner: Pool): Promise<RunningNode[]> {
  const { rows } = await owner.query<{ name: string; since: Date }>(
    `select application_name as name, min(backend_start) as since from pg_stat_activity
     where datname = current_database() and starts_with(application_name, $1)
     group by 1 order by 2`,
    [PREFIX],
  );
  return rows.flatMap(({ name, since }) => {
    const [version, id] = name.split(' ').at(-1)?.split('/') ?? [];
    return version && id ? [{ id, version, isThis: id === OWN_ID, since }] : [];
  });
}
