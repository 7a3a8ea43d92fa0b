import type { FastifyBaseLogger } from 'fastify';
import { DatabaseError } from 'pg';
import { z } from 'zod';
import type { Database } from '../../../database/database.ts';
import type { ChangeFeed } from '../changes/change-feed.ts';
import { checkFilter, FilterError } from '../changes/filter.ts';
import { UNAVAILABLE } from '../changes/replication-stream.ts';
import type { Subscription } from '../changes/subscriptions.ts';
import { readTable, type Table } from '../changes/tables.ts';
import { coalesced } from '../coalesce.ts';
import type { Channel } from './channel.ts';

const PUBLISHED = `select exists (select from pg_publication_tables where pubname = 'supabase_realtime'
  and ($1 = '*' or schemaname = $1) and ($2 = '*' or tablename = $2)) as published`;

function describeBinding({ event, schema, table, filter }: Subscription): string {
  const filters = filter.map(({ column, operator, negated, values }) =>
    JSON.stringify([column, operator, values.join(','), negated]),
  );
  return `[event: ${event}, schema: ${schema}, table: ${table}, filters: [${filters.join(', ')}]]`;
}

/** Queries about tables, shared by channels that join at the same time. */
interface TableChecks {
  /** @param key schema and table as JSON */
  isPublished(key: string): Promise<boolean>;
  table(key: string): Promise<Table | undefined>;
}

const Key = z.tuple([z.string(), z.string()]);

export function tableChecks({ owner }: Database): TableChecks {
  return {
    isPublished: coalesced(async (key) => {
      const { rows } = await owner.query<{ published: boolean }>(
        PUBLISHED,
        Key.parse(JSON.parse(key)),
      );
      return rows[0]?.published ?? false;
    }),
    table: coalesced((key) => readTable(owner, ...Key.parse(JSON.parse(key)))),
  };
}

/**
 * Checks what would otherwise go unnoticed: a table that is not published, a filter that does not fit.
 * @returns the error message of Supabase's server, or undefined
 * @throws when the database is unavailable
 */
async function subscriptionProblem(
  database: Database,
  checks: TableChecks,
  subscription: Subscription,
): Promise<string | undefined> {
  const { schema, table, filter, subscriber } = subscription;
  const key = JSON.stringify([schema, table]);
  if (!(await checks.isPublished(key))) {
    return `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: ${describeBinding(subscription)}`;
  }
  if (filter.length === 0 || table === '*') return undefined;
  const known = await checks.table(key);
  if (known === undefined) return undefined;
  try {
    await checkFilter(database.callers, subscriber.rights.caller, filter, known);
    return undefined;
  } catch (error) {
    if (!(error instanceof FilterError) && !(error instanceof DatabaseError)) throw error;
    return `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: ${describeBinding(subscription)}. Exception: ${error.message}`;
  }
}

const SUBSCRIBED = 'Subscribed to PostgreSQL';
const LOST =
  'The connection to the database was lost. Changes made until the next "Subscribed to PostgreSQL" are not delivered.';

export interface StatusSources {
  database: Database;
  feed: ChangeFeed;
  checks: TableChecks;
  log: FastifyBaseLogger;
}

/** Tells the channel whether its changes are being delivered: at joining, and again after every interruption. */
export async function sendSubscriptionStatus(
  { database, feed, checks, log }: StatusSources,
  channel: Channel,
): Promise<void> {
  if (channel.bindings.length === 0 || !channel.isJoined || channel.isClosed) return;
  const send = (status: 'ok' | 'error', message: string): void => {
    if (!channel.isClosed) channel.sendSystem('postgres_changes', status, message);
  };
  if (feed.state === 'unavailable') return send('error', UNAVAILABLE);
  if (feed.state === 'lost') return send('error', LOST);
  if (feed.state !== 'live') return;
  const problems = [...channel.problems];
  try {
    for (const subscription of channel.subscriptions) {
      const problem = await subscriptionProblem(database, checks, subscription);
      if (problem !== undefined) problems.push(problem);
    }
  } catch (error) {
    // The database is unavailable again: the state of the feed will change, and this is called again.
    log.warn({ err: error }, 'could not check subscriptions');
    return;
  }
  if (problems.length === 0) return send('ok', SUBSCRIBED);
  for (const problem of problems) send('error', problem);
}
