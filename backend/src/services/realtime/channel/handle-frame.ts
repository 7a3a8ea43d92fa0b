import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { isUnavailable } from '../../../database/unavailable.ts';
import { UNAVAILABLE } from '../changes/replication-stream.ts';
import { coalesced } from '../coalesce.ts';
import { CHANNELS_PER_SOCKET, JOIN_WAIT_MS } from '../limits.ts';
import type { Peers } from '../peers/peers.ts';
import type { Frame } from '../socket/frames.ts';
import type { Socket } from '../socket/socket.ts';
import { handleBroadcast, replay } from './broadcast.ts';
import { Channel, JoinPayload } from './channel.ts';
import type { Hub } from './hub.ts';
import type { Presence } from './presence.ts';
import { fetchTopicRights, readToken, TokenError } from './rights.ts';
import type { SessionWatch } from './session-watch.ts';
import { type StatusSources, sendSubscriptionStatus } from './subscription-status.ts';

const AccessToken = z.object({ access_token: z.string() });

/** Handles a client's frame (Supabase docs, "Realtime Protocol"). Invalid frames are answered or ignored. */
export async function handleFrame(realtime: Realtime, socket: Socket, frame: Frame): Promise<void> {
  const { topic, event } = frame;
  if (topic === 'phoenix') {
    if (event === 'heartbeat') socket.reply(frame, 'ok', {});
    return;
  }
  if (!topic.startsWith('realtime:')) {
    socket.reply(frame, 'error', { reason: 'unmatched topic' });
    return;
  }
  if (event === 'phx_join') {
    const work = () => join(realtime, socket, frame);
    return realtime.context.tracing?.request('realtime join', work) ?? work();
  }
  const channel = realtime.hub.channelsOf(socket).get(topic);
  if (channel === undefined) {
    if (event === 'phx_leave') socket.reply(frame, 'ok', {});
    else socket.reply(frame, 'error', { reason: 'unmatched topic' });
    return;
  }
  // Late: it belongs to a previous join of the same topic.
  if (frame.joinRef !== null && frame.joinRef !== channel.joinRef) return;
  if (event === 'phx_leave') {
    channel.reply(frame.ref, 'ok', {});
    channel.sendClose();
    realtime.hub.leave(channel);
  } else if (!socket.messages.take(realtime.context.now().getTime())) {
    realtime.hub.close(channel, 'Too many messages per second');
  } else if (event === 'access_token') await refresh(realtime, socket, channel, frame.payload);
  else if (event === 'broadcast') handleBroadcast(realtime, channel, frame);
  else if (event === 'presence') realtime.presence.handle(channel, frame);
  else channel.reply(frame.ref, 'error', { reason: 'unmatched topic' });
}

async function refresh(
  realtime: Realtime,
  socket: Socket,
  channel: Channel,
  payload: unknown,
): Promise<void> {
  const given = AccessToken.safeParse(payload);
  if (!given.success) return;
  const { context, hub } = realtime;
  const { name, config } = channel;
  const token = tokenOf(given.data.access_token, socket.apiKey);
  try {
    const grant = await readToken(context.keys, token, context.now());
    const rights = await fetchTopicRights(realtime, grant.caller, name, config.private);
    if (rights.read.size === 0) throw new TokenError(`Unauthorized: ${CANNOT_READ}: ${name}`);
    channel.rights = grant;
    channel.topicRights = rights;
    realtime.presence.updateRights(channel);
    realtime.sessions.check(channel);
  } catch (error) {
    if (error instanceof TokenError) hub.close(channel, error.message);
    // The rights of the new token are unknown, and those of the old one must not outlive it.
    else if (isUnavailable(error)) hub.close(channel, 'The database is not available');
    else throw error;
  }
}

/** The parts of the service that handling a frame needs. */
export interface Realtime extends StatusSources {
  context: Context;
  hub: Hub;
  presence: Presence;
  sessions: SessionWatch;
  peers: Peers;
  currentLsn: ReturnType<typeof lsnReader>;
}

const PREFIX = 'realtime:';
const CANNOT_READ = 'You do not have permissions to read from this Channel topic';

class JoinError extends Error {}

/** API keys that are not JWTs don't identify a user: the socket's own key is used instead. */
function tokenOf(given: string | null | undefined, apiKey: string): string {
  return given === undefined || given === null || given.startsWith('sb_') ? apiKey : given;
}

async function accept(realtime: Realtime, socket: Socket, frame: Frame): Promise<Channel> {
  const { context, hub } = realtime;
  const now = context.now();
  if (!socket.joins.take(now.getTime())) {
    throw new JoinError('ClientJoinRateLimitReached: Too many joins per second');
  }
  const older = hub.channelsOf(socket).get(frame.topic);
  if (older === undefined && hub.channelsOf(socket).size >= CHANNELS_PER_SOCKET) {
    throw new JoinError('ChannelRateLimitReached: Too many channels');
  }
  const name = frame.topic.slice(PREFIX.length);
  if (name === '') throw new JoinError('TopicNameRequired: You must provide a topic name');
  const payload = JoinPayload.safeParse(frame.payload);
  if (!payload.success) {
    const [issue] = payload.error.issues;
    const { path = [], message = 'not an object' } = issue ?? {};
    if (path.includes('replay')) {
      throw new JoinError('UnableToReplayMessages: Replay params are not valid');
    }
    throw new JoinError(`InvalidJoinPayload: ${path.join('.')} ${message}`);
  }
  const { config, access_token } = payload.data;
  const token = tokenOf(access_token, socket.apiKey);
  const grant = await readToken(context.keys, token, context.now());
  const rights = await fetchTopicRights(realtime, grant.caller, name, config.private);
  if (rights.read.size === 0) throw new JoinError(`Unauthorized: ${CANNOT_READ}: ${name}`);
  if (config.broadcast?.replay && !config.private) {
    throw new JoinError('UnableToReplayMessages: Replay is not allowed for public channels');
  }
  if (older !== undefined) {
    older.sendClose();
    hub.leave(older);
  }
  return new Channel(socket, frame.topic, frame.joinRef ?? frame.ref, config, grant, rights);
}

/** Handles phx_join. Resolves when the channel is added; the reply follows when its changes are live. */
export async function join(realtime: Realtime, socket: Socket, frame: Frame): Promise<void> {
  let channel: Channel;
  try {
    channel = await accept(realtime, socket, frame);
  } catch (error) {
    const isExpected = error instanceof JoinError || error instanceof TokenError;
    if (!isExpected) realtime.log.error({ err: error }, 'join failed');
    const reason = isExpected ? error.message : 'UnknownError: Something went wrong on our side';
    socket.reply(frame, 'error', { reason });
    return;
  }
  if (!realtime.hub.join(channel)) return;
  realtime.sessions.check(channel);
  // Not awaited: other frames of the socket, such as heartbeats, must not wait for the stream.
  confirm(realtime, channel, frame).catch((error: unknown) =>
    realtime.log.error({ err: error }, 'could not reply to a join'),
  );
}

async function confirm(realtime: Realtime, channel: Channel, frame: Frame): Promise<void> {
  if (channel.subscriptions.length > 0) {
    await realtime.feed.settled(JOIN_WAIT_MS);
    const since = realtime.feed.state === 'live' ? await realtime.currentLsn('') : 0n;
    for (const subscription of channel.subscriptions) subscription.since = since;
  }
  if (channel.isClosed) return;
  channel.isJoined = true;
  channel.reply(frame.ref, 'ok', { postgres_changes: channel.bindings });
  realtime.presence.join(channel);
  await replay(realtime.database, realtime.log, channel);
  await sendSubscriptionStatus(realtime, channel);
  channel.awaitsReplication = channel.config.broadcast?.replication_ready ?? false;
  await sendReplicationStatus(realtime, channel);
}

/** Reports once that broadcasts of the database and of other processes arrive from now on. */
export async function sendReplicationStatus(
  { feed, peers }: Pick<Realtime, 'feed' | 'peers'>,
  channel: Channel,
): Promise<void> {
  if (!channel.awaitsReplication || channel.isClosed) return;
  if (feed.state === 'unavailable') channel.sendSystem('system', 'error', UNAVAILABLE);
  if (feed.state !== 'live') return;
  channel.awaitsReplication = false;
  await peers.introduced();
  if (!channel.isClosed) channel.sendSystem('system', 'ok', 'Replication connection established');
}

/** @returns a reader of the current WAL position: the stream may still contain older changes, which a new channel must not get */
export function lsnReader({ database, log }: Pick<Realtime, 'database' | 'log'>) {
  return coalesced(async (): Promise<bigint> => {
    try {
      const { rows } = await database.owner.query<{ lsn: string }>(
        `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as lsn`,
      );
      return BigInt(rows[0]?.lsn ?? 0);
    } catch (error) {
      log.warn({ err: error }, 'could not read the WAL position');
      return 0n;
    }
  });
}
