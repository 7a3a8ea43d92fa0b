// Tells a channel whether the changes it asked for are coming: at joining, and again after every gap.
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../database/database.ts';
import type { ChangeFeed } from '../changes/change-feed.ts';
import { UNAVAILABLE } from '../changes/feed.ts';
import type { Channel } from './channel.ts';
import { type TableChecks, whatIsWrong } from './check-subscription.ts';

const SUBSCRIBED = 'Subscribed to PostgreSQL';
const LOST =
  'The connection to the database was lost. Changes made until the next "Subscribed to PostgreSQL" are not delivered.';

export interface Announcer {
  database: Database;
  feed: ChangeFeed;
  checks: TableChecks;
  log: FastifyBaseLogger;
}

/** Tells the channel the present state of the feed; while the stream starts there is nothing to tell yet. */
export async function announce(
  { database, feed, checks, log }: Announcer,
  channel: Channel,
): Promise<void> {
  if (channel.bindings.length === 0 || !channel.isJoined || channel.isClosed) return;
  const tell = (status: 'ok' | 'error', message: string): void => {
    if (!channel.isClosed) channel.tell('postgres_changes', status, message);
  };
  if (feed.state === 'unavailable') return tell('error', UNAVAILABLE);
  if (feed.state === 'lost') return tell('error', LOST);
  if (feed.state !== 'live') return;
  const faults = [...channel.faults];
  try {
    for (const subscription of channel.subscriptions) {
      const fault = await whatIsWrong(database, checks, subscription);
      if (fault !== undefined) faults.push(fault);
    }
  } catch (error) {
    // The database went away again: the feed will say so, and announce anew when it is back.
    log.warn({ err: error }, 'subscriptions could not be checked');
    return;
  }
  if (faults.length === 0) return tell('ok', SUBSCRIBED);
  for (const fault of faults) tell('error', fault);
}
