import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../database/database.ts';
import type { ChangeFeed } from '../changes/change-feed.ts';
import { UNAVAILABLE } from '../changes/feed.ts';
import type { Channel } from './channel.ts';
import { subscriptionProblem, type TableChecks } from './check-subscription.ts';

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
