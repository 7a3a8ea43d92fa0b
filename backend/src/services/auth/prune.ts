import type { FastifyBaseLogger } from 'fastify';
import type { Pool } from 'pg';
import { Rounds } from '../../rounds.ts';
import { type Db, raw, type Sql, sql } from './database.ts';
import { KNOWN_DAYS } from './protection/caller.ts';
import type { Service } from './service.ts';
import { isOver } from './sessions/sessions.ts';

// Deletes what is no longer needed: used and expired tokens, challenges, sessions that are over, old counters.

/** Rows of a table per run. */
const BATCH = 5_000;
/** Advisory lock (`hashtext` of this) that lets one process run at a time. */
const LOCK = 'auth.prune';

/** Tables, and which of their rows `s` are due. */
function choresOf(service: Service): [table: string, isDue: Sql][] {
  const { keep_days: days } = service.context.settings.auth.audit_log;
  return [
    // Used tokens are kept for a while: reusing one later ends the session. Parents of active tokens are kept as well, since a
    // client that lost a response may request it again.
    [
      'refresh_tokens',
      sql`s.revoked and s.updated_at < now() - interval '7 days' and not exists (
        select from auth.refresh_tokens child where child.parent = s.token and not child.revoked)`,
    ],
    ['sessions', isOver(service)],
    ['one_time_tokens', sql`s.created_at < now()::timestamp - interval '2 days'`],
    ['flow_state', sql`s.created_at < now() - interval '1 day'`],
    ['mfa_challenges', sql`s.created_at < now() - interval '1 day'`],
    ['webauthn_challenges', sql`s.expires_at < now() - interval '1 hour'`],
    ['mfa_factors', sql`s.status = 'unverified' and s.created_at < now() - interval '1 day'`],
    ['attempts', sql`s.expire < extract(epoch from now()) * 1000`],
    ['known_networks', sql`s.seen_at < now() - make_interval(days => ${KNOWN_DAYS})`],
    ['seen_devices', sql`s.seen_at < now() - interval '400 days'`],
    // Without a limit in config.toml this compares with null: kept forever.
    ['audit_log_entries', sql`s.created_at < now() - make_interval(days => ${days})`],
  ];
}

async function prune(db: Db, chores: [table: string, isDue: Sql][]): Promise<number> {
  let count = 0;
  for (const [name, isDue] of chores) {
    const table = raw(`auth.${name}`);
    const { rowCount } = await db.query(sql`
      delete from ${table} where ctid = any (array(select s.ctid from ${table} s where ${isDue} limit ${BATCH}))`);
    count += rowCount ?? 0;
  }
  return count;
}

/** @returns deleted rows; undefined while another process runs */
export async function pruneOnce(service: Service): Promise<number | undefined> {
  return withLock(service.pool, (db) => prune(db, choresOf(service)));
}

async function withLock(
  pool: Pool,
  work: (db: Db) => Promise<number>,
): Promise<number | undefined> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ mine: boolean }>(sql`
      select pg_try_advisory_lock(hashtext(${LOCK})) as mine`);
    if (!rows[0]?.mine) return undefined;
    try {
      return await work(client);
    } finally {
      await client.query(sql`select pg_advisory_unlock(hashtext(${LOCK}))`);
    }
  } catch (error) {
    // The connection is in an unknown state and may have the lock: destroying it releases the lock.
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(broken);
  }
}

const EVERY_MS = 10 * 60_000;
/** How long a round may delay the stop; its statement is cancelled then. */
const STOP_MS = 1_000;

/** @returns a function that stops it */
export function startUpkeep(service: Service, log: FastifyBaseLogger): () => Promise<void> {
  const rounds = new Rounds(() => pruneOnce(service), {
    everyMs: EVERY_MS,
    afterErrorMs: EVERY_MS,
    stopMs: STOP_MS,
    onError: (error) => log.warn({ err: error }, 'upkeep failed'),
  });
  rounds.start();
  return () => rounds.stop();
}
