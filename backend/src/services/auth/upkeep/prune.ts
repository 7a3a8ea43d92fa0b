import type { FastifyBaseLogger } from 'fastify';
import type { Pool } from 'pg';
import type { Db } from '../database.ts';
import { KNOWN_DAYS } from '../protection/guesser.ts';
import type { Service } from '../service.ts';
import { isOver, lifetimeOf } from '../sessions/lifetime.ts';

// Deletes what is no longer needed: used and expired tokens, challenges, sessions that are over, old counters.
/** Rows of a table per run. */
const BATCH = 5_000;
/** Advisory lock (`hashtext` of this) that lets one process run at a time. */
const LOCK = 'auth.prune';

interface Chore {
  table: string;
  /** SQL condition on `t`. */
  where: string;
  values?: unknown[];
}

function choresOf(service: Service): Chore[] {
  const { audit_log: trail } = service.context.settings.auth;
  return [
    // Used tokens are kept for a while: reusing one later ends the session. Parents of active tokens are kept as well, since a
    // client that lost a response may request it again.
    {
      table: 'refresh_tokens',
      where: `t.revoked and t.updated_at < now() - interval '7 days' and not exists (
        select from auth.refresh_tokens child where child.parent = t.token and not child.revoked)`,
    },
    { table: 'sessions', where: isOver(1, 't'), values: lifetimeOf(service) },
    { table: 'one_time_tokens', where: `t.created_at < now()::timestamp - interval '2 days'` },
    { table: 'flow_state', where: `t.created_at < now() - interval '1 day'` },
    { table: 'mfa_challenges', where: `t.created_at < now() - interval '1 day'` },
    { table: 'webauthn_challenges', where: `t.expires_at < now() - interval '1 hour'` },
    {
      table: 'mfa_factors',
      where: `t.status = 'unverified' and t.created_at < now() - interval '1 day'`,
    },
    { table: 'attempts', where: 't.expire < extract(epoch from now()) * 1000' },
    {
      table: 'known_networks',
      where: 't.seen_at < now() - make_interval(days => $1)',
      values: [KNOWN_DAYS],
    },
    { table: 'seen_devices', where: `t.seen_at < now() - interval '400 days'` },
    // Kept forever unless config.toml sets a limit.
    ...(trail.keep_days === undefined
      ? []
      : [
          {
            table: 'audit_log_entries',
            where: 't.created_at < now() - make_interval(days => $1)',
            values: [trail.keep_days],
          },
        ]),
  ];
}

async function prune(db: Db, chores: Chore[]): Promise<number> {
  let count = 0;
  for (const { table, where, values = [] } of chores) {
    const { rowCount } = await db.query(
      `delete from auth.${table} where ctid = any (array(select t.ctid from auth.${table} t where ${where} limit ${BATCH}))`,
      values,
    );
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
    const { rows } = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_lock(hashtext($1)) as mine',
      [LOCK],
    );
    if (!rows[0]?.mine) return undefined;
    try {
      return await work(client);
    } finally {
      await client.query('select pg_advisory_unlock(hashtext($1))', [LOCK]);
    }
  } catch (error) {
    // The connection is in an unknown state and may have the lock: destroying it releases the lock.
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(broken);
  }
}

// Runs `prune` periodically.
const EVERY_MS = 10 * 60_000;

/** @returns a function that stops it */
export function startUpkeep(service: Service, log: FastifyBaseLogger): () => void {
  const timer = setInterval(() => {
    pruneOnce(service).catch((error: unknown) => log.warn({ err: error }, 'upkeep failed'));
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}
