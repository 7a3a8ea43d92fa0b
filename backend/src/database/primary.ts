// Several PostgreSQL servers in DATABASE_URL: one takes writes, the others copy it and may be promoted in its place.
import type pg from 'pg';
import { Rounds } from '../rounds.ts';
import { withClient } from './with-client.ts';

export interface DatabaseHost {
  host: string;
  port: number;
}

const LOOK_MS = 1_000;
/** A server that takes longer to answer counts as down. */
const ANSWER_MS = 3_000;

/** A promotion starts a new timeline, so a former primary that comes back has a lower one. Null for a standby. */
const TIMELINE = `select case when not pg_is_in_recovery()
  then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`;

async function timelineOf(connection: pg.ClientConfig): Promise<number | null> {
  return withClient(
    { ...connection, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS },
    async (client) => {
      const { rows } = await client.query<{ timeline: number | null }>(TIMELINE);
      return rows[0]?.timeline ?? null;
    },
  );
}

/**
 * @param connection settings that are the same for all hosts
 * @returns the host that takes writes; of several, the one that was promoted last
 * @throws the first host's error, or that all hosts are standbys
 */
export async function findPrimary(
  connection: pg.ClientConfig,
  hosts: readonly DatabaseHost[],
): Promise<DatabaseHost> {
  const answers = await Promise.allSettled(
    hosts.map((host) => timelineOf({ ...connection, ...host })),
  );
  let best: { host: DatabaseHost; timeline: number } | undefined;
  for (const [n, host] of hosts.entries()) {
    const answer = answers[n];
    const timeline = answer?.status === 'fulfilled' ? answer.value : null;
    if (timeline !== null && timeline > (best?.timeline ?? 0)) best = { host, timeline };
  }
  if (best !== undefined) return best.host;
  const failed = answers.find((answer) => answer.status === 'rejected');
  throw failed?.reason ?? new Error('none of its servers takes writes: all are standbys');
}

interface FollowOptions {
  connection: pg.ClientConfig;
  hosts: readonly DatabaseHost[];
  /** Called when another host has become the primary. */
  onMove: (host: DatabaseHost) => void;
  /** Called once while no host takes writes. */
  onError: (error: Error) => void;
}

/** Looks once a second which host takes writes. @returns a function that stops it */
export function followPrimary(options: FollowOptions): () => Promise<void> {
  const { connection, hosts } = options;
  let { host, port } = connection;
  let isLost = false;
  const rounds = new Rounds(
    async () => {
      const found = await findPrimary(connection, hosts);
      isLost = false;
      if (found.host === host && found.port === port) return;
      ({ host, port } = found);
      options.onMove(found);
    },
    {
      everyMs: LOOK_MS,
      afterErrorMs: LOOK_MS,
      onError: (error) => {
        if (!isLost) options.onError(error instanceof Error ? error : new Error(String(error)));
        isLost = true;
      },
    },
  );
  rounds.start();
  return () => rounds.stop();
}
