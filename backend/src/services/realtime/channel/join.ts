// Joining a channel: limits, payload, token, then the answer once the changes it asks for are live (PROTOCOL.md 3.2).

import type { Context } from '../../../context.ts';
import type { Caller } from '../../../database/callers.ts';
import { isUnavailable } from '../../../database/unavailable.ts';
import { UNAVAILABLE } from '../changes/feed.ts';
import { gathered } from '../gather.ts';
import { CHANNELS_PER_SOCKET, LIVE_WAIT_MS } from '../limits.ts';
import type { Peers } from '../peers/peers.ts';
import type { Frame } from '../socket/frames.ts';
import type { Socket } from '../socket/socket.ts';
import type { AccessWatch } from './access-watch.ts';
import { type Announcer, announce } from './announce.ts';
import { Channel } from './channel.ts';
import type { Hub } from './hub.ts';
import { JoinPayload } from './join-payload.ts';
import type { Presence } from './presence.ts';
import { replay } from './stored-broadcasts.ts';
import { type Grant, RefusedToken, readToken } from './token.ts';
import { EVERYTHING, NOTHING, readTopicRights, type TopicRights } from './topic-rights.ts';

export interface Joining extends Announcer {
  context: Context;
  hub: Hub;
  presence: Presence;
  access: AccessWatch;
  peers: Peers;
  placeInLog: ReturnType<typeof placeInLog>;
}

const PREFIX = 'realtime:';
export const NO_READING = 'You do not have permissions to read from this Channel topic';

class RefusedJoin extends Error {}

/** Keys of another kind than JWT say nothing about the user: then the socket's own key counts. */
export function tokenOf(given: string | null | undefined, apiKey: string): string {
  return given === undefined || given === null || given.startsWith('sb_') ? apiKey : given;
}

/** A policy that fails allows nothing. @throws when the database is away, so that the client tries again */
export async function topicRightsOf(
  { database, log }: Joining,
  caller: Caller,
  name: string,
  isPrivate: boolean,
): Promise<TopicRights> {
  if (!isPrivate) return EVERYTHING;
  try {
    return await readTopicRights(database, caller, name);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    log.warn({ err: error }, 'the policies of realtime.messages could not be asked');
    return NOTHING;
  }
}

async function accept(joining: Joining, socket: Socket, frame: Frame): Promise<Channel> {
  const { context, hub } = joining;
  const now = context.now();
  if (!socket.joins.take(now.getTime())) {
    throw new RefusedJoin('ClientJoinRateLimitReached: Too many joins per second');
  }
  const older = hub.channelsOf(socket).get(frame.topic);
  if (older === undefined && hub.channelsOf(socket).size >= CHANNELS_PER_SOCKET) {
    throw new RefusedJoin('ChannelRateLimitReached: Too many channels');
  }
  const name = frame.topic.slice(PREFIX.length);
  if (name === '') throw new RefusedJoin('TopicNameRequired: You must provide a topic name');
  const payload = JoinPayload.safeParse(frame.payload);
  if (!payload.success) {
    const [issue] = payload.error.issues;
    const { path = [], message = 'not an object' } = issue ?? {};
    if (path.includes('replay')) {
      throw new RefusedJoin('UnableToReplayMessages: Replay params are not valid');
    }
    throw new RefusedJoin(`InvalidJoinPayload: ${path.join('.')} ${message}`);
  }
  const { config, access_token } = payload.data;
  const grant: Grant = await readToken(
    context.keys,
    tokenOf(access_token, socket.apiKey),
    context.now(),
  );
  const rights = await topicRightsOf(joining, grant.caller, name, config.private);
  if (rights.read.size === 0) throw new RefusedJoin(`Unauthorized: ${NO_READING}: ${name}`);
  if (config.broadcast?.replay && !config.private) {
    throw new RefusedJoin('UnableToReplayMessages: Replay is not allowed for public channels');
  }
  if (older !== undefined) {
    older.sendClose();
    hub.leave(socket, older);
  }
  return new Channel(socket, frame.topic, frame.joinRef ?? frame.ref, config, grant, rights);
}

/** Handles phx_join. Resolves when the channel is in place; the answer follows when its changes are live. */
export async function join(joining: Joining, socket: Socket, frame: Frame): Promise<void> {
  let channel: Channel;
  try {
    channel = await accept(joining, socket, frame);
  } catch (error) {
    const isRefusal = error instanceof RefusedJoin || error instanceof RefusedToken;
    if (!isRefusal) joining.log.error({ err: error }, 'a join failed');
    const reason = isRefusal ? error.message : 'UnknownError: Something went wrong on our side';
    socket.send({
      joinRef: frame.joinRef,
      ref: frame.ref,
      topic: frame.topic,
      event: 'phx_reply',
      payload: JSON.stringify({ status: 'error', response: { reason } }),
    });
    return;
  }
  if (!joining.hub.join(socket, channel)) return;
  joining.access.look(channel);
  // Not awaited: other frames of the socket, heartbeats above all, must not wait for the stream.
  answer(joining, channel, frame).catch((error: unknown) =>
    joining.log.error({ err: error }, 'a join could not be answered'),
  );
}

async function answer(joining: Joining, channel: Channel, frame: Frame): Promise<void> {
  if (channel.subscriptions.length > 0) {
    await joining.feed.settled(LIVE_WAIT_MS);
    const since = joining.feed.state === 'live' ? await joining.placeInLog('') : 0n;
    for (const subscription of channel.subscriptions) subscription.since = since;
  }
  if (channel.isClosed) return;
  channel.isJoined = true;
  channel.reply(frame.ref, 'ok', { postgres_changes: channel.bindings });
  joining.presence.welcome(channel);
  await replay(joining.database, joining.log, channel);
  await announce(joining, channel);
  channel.awaitsReplication = channel.config.broadcast?.replication_ready ?? false;
  await tellOfReplication(joining, channel);
}

/** Tells, once, that broadcasts of the database and of other processes arrive from here on; a stream that still starts is waited for. */
export async function tellOfReplication(
  { feed, peers }: Pick<Joining, 'feed' | 'peers'>,
  channel: Channel,
): Promise<void> {
  if (!channel.awaitsReplication || channel.isClosed) return;
  if (feed.state === 'unavailable') channel.tell('system', 'error', UNAVAILABLE);
  if (feed.state !== 'live') return;
  channel.awaitsReplication = false;
  await peers.introduced();
  if (!channel.isClosed) channel.tell('system', 'ok', 'Replication connection established');
}

/** Where the log stands: what was committed before is no news to who joins now, though the stream may still bring it. */
export function placeInLog({ database, log }: Pick<Joining, 'database' | 'log'>) {
  return gathered(async (): Promise<bigint> => {
    try {
      const { rows } = await database.owner.query<{ lsn: string }>(
        `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as lsn`,
      );
      return BigInt(rows[0]?.lsn ?? 0);
    } catch (error) {
      log.warn({ err: error }, 'the place in the log is not known');
      return 0n;
    }
  });
}
