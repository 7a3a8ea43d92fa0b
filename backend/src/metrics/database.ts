// The database as this process sees it: its connections, size, replicas and the last backup.
import type { Pool } from 'pg';
import { WAL_SLOT } from '../backup/wal/run.ts';
import type { Database } from '../database/database.ts';
import { gauge, type Metric, type Sample } from './text.ts';

/** Reading the metrics must not add to the trouble of a busy database. */
const LIMIT = '2s';

/** One row; null where it is unknown. @throws when the database does not answer in time */
export async function oneRow<Row>(owner: Pool, sql: string): Promise<Row | undefined> {
  const client = await owner.connect();
  let broken: Error | undefined;
  try {
    await client.query(`begin read only; set local statement_timeout = '${LIMIT}'`);
    const { rows } = await client.query(sql);
    return rows[0];
  } catch (error) {
    if (error instanceof Error) broken = error;
    throw error;
  } finally {
    await client.query('rollback').catch((error: Error) => {
      broken = error;
    });
    client.release(broken);
  }
}

interface PoolState {
  pool: string;
  size: number;
  inUse: number;
  waiting: number;
}

export function readPools({ callers, auth, storage, owner }: Database): PoolState[] {
  return [
    { pool: 'callers', size: callers.pool.options.max, ...callers.load },
    ...[['auth', auth] as const, ['storage', storage] as const, ['owner', owner] as const].map(
      ([pool, { options, totalCount, idleCount, waitingCount }]) => ({
        pool,
        size: options.max,
        inUse: totalCount - idleCount,
        waiting: waitingCount,
      }),
    ),
  ];
}

export function connectionMetrics(database: Database): Metric[] {
  const pools = readPools(database);
  const of = (value: (pool: PoolState) => number): Sample[] =>
    pools.map((pool) => ({ labels: { pool: pool.pool }, value: value(pool) }));
  return [
    gauge('db_pool_size', 'Most connections.', ...of(({ size }) => size)),
    gauge('db_pool_in_use', 'Connections at work.', ...of((pool) => pool.inUse)),
    gauge('db_pool_waiting', 'Queries that wait for a connection.', ...of((pool) => pool.waiting)),
  ];
}

interface Facts {
  size: number;
  replicas: number;
  lagSeconds: number | null;
  lagBytes: number | null;
  backupAge: number | null;
  walUnsaved: number | null;
}

const sampleOf = (value: number | null | undefined): Sample[] => (value == null ? [] : [{ value }]);

/** @throws when the database does not answer in time */
export async function databaseMetrics(owner: Pool): Promise<Metric[]> {
  // Positions and delays of replicas are null for an account that may not see them.
  const facts = await oneRow<Facts>(
    owner,
    `select pg_database_size(current_database())::float8 as size, count(r.pid)::int as replicas,
       max(extract(epoch from r.replay_lag))::float8 as "lagSeconds",
       max(pg_wal_lsn_diff(pg_current_wal_lsn(), r.replay_lsn))::float8 as "lagBytes",
       (select extract(epoch from now() - max(b.taken_at))::float8 from platform.backups b) as "backupAge",
       (select pg_wal_lsn_diff(pg_current_wal_lsn(), w.restart_lsn)::float8 from pg_replication_slots w
        where w.slot_name = '${WAL_SLOT}') as "walUnsaved"
     from (select) one left join (
       select * from pg_stat_replication s
       -- The change feed of a server and what saves its WAL are no replicas.
       where s.state <> 'backup' and not exists (
         select from pg_replication_slots p
         where p.active_pid = s.pid and (p.slot_type = 'logical' or p.slot_name = '${WAL_SLOT}'))
     ) r on true`,
  );
  return [
    gauge('db_size_bytes', 'Size of the database.', ...sampleOf(facts?.size)),
    gauge('db_replicas', 'Replicas that are connected.', ...sampleOf(facts?.replicas)),
    gauge('db_replication_lag_seconds', 'Of the slowest replica.', ...sampleOf(facts?.lagSeconds)),
    gauge('db_replication_lag_bytes', 'Of the slowest replica.', ...sampleOf(facts?.lagBytes)),
    gauge(
      'backup_age_seconds',
      'Since the moment that the newest backup is from.',
      ...sampleOf(facts?.backupAge),
    ),
    gauge(
      'backup_wal_unsaved_bytes',
      'Changes that are not saved yet; none where they are not saved at all.',
      ...sampleOf(facts?.walUnsaved),
    ),
  ];
}
