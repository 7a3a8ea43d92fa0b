// Processes on one database must use the same keys, files and address. Each shows what it uses in the name of a connection
// that stays open; one that starts later compares.
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { Config } from './config.ts';
import type { Keys } from './keys/keys.ts';

/** What must be the same, and what to do about it, in the order of the name's parts. */
const PARTS = [
  'signs with other keys, so requests are refused at random: set the same JWT_KEYS for all of them',
  'keeps its files elsewhere, so files are missing at random: set the same STORAGE_URL for all of them',
  'has another SITE_URL, so sign-ins are refused at random: set the same one for all of them',
] as const;

const PREFIX = 'node ';

const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);

/** @returns a name that is equal for processes that agree; at most 63 bytes, the limit of `application_name` */
export function nodeName(
  config: Pick<Config, 'dataDir' | 'siteUrl' | 'storageUrl' | 'host' | 'port'>,
  { jwks }: Pick<Keys, 'jwks'>,
): string {
  const here = `${hostname()} ${config.dataDir}`;
  const signing = jwks.keys.map(({ kid }) => kid).sort();
  const values = [signing.join(' '), config.storageUrl ?? here, config.siteUrl ?? here];
  return PREFIX + values.map(digest).join(' ');
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
