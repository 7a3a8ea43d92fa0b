import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { Database } from '../../../database/database.ts';
import { Rounds } from '../../../rounds.ts';
import type { Change } from '../changes/pgoutput.ts';
import { PARTITION_MAINTENANCE_MS, REPLAYED_MESSAGES, STORED_HOURS } from '../limits.ts';
import type { Peers } from '../peers/peers.ts';
import { type Broadcast, broadcastWire, type Frame, type Version } from '../socket/frames.ts';
import type { Channel } from './channel.ts';
import type { Hub } from './hub.ts';

const Payload = z.object({
  event: z.string().min(1).max(255),
  payload: z.unknown().optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
});

/** @returns undefined when the frame is not a valid broadcast */
function broadcastOf(frame: Frame): Broadcast | undefined {
  if (frame.broadcast !== undefined) return frame.broadcast;
  const { data } = Payload.safeParse(frame.payload);
  if (data === undefined) return undefined;
  return {
    event: data.event,
    payload: Buffer.from(JSON.stringify(data.payload ?? {})),
    isJson: true,
    meta: data.meta === undefined ? '' : JSON.stringify(data.meta),
  };
}

/**
 * Sends a broadcast to the members in this process.
 * @param sender gets it too only with `self`; undefined for broadcasts from HTTP, the database or another process
 */
export function deliverBroadcast(
  hub: Hub,
  name: string,
  isPrivate: boolean,
  broadcast: Broadcast,
  sender?: Channel,
): void {
  const wires = new Map<Version, Buffer | undefined>();
  for (const member of hub.members(name, isPrivate)) {
    if (!member.isJoined || !member.topicRights.read.has('broadcast')) continue;
    if (member === sender && !member.config.broadcast?.self) continue;
    const { version } = member.socket;
    if (!wires.has(version)) wires.set(version, broadcastWire(version, member.topic, broadcast));
    const wire = wires.get(version);
    if (wire !== undefined) member.socket.sendWire(wire);
  }
}

/** Silently drops a broadcast without the right to write. */
export function handleBroadcast(
  { hub, peers }: { hub: Hub; peers: Peers },
  channel: Channel,
  frame: Frame,
): void {
  if (!channel.topicRights.write.has('broadcast')) return;
  const broadcast = broadcastOf(frame);
  const wantsReply = channel.config.broadcast?.ack === true;
  if (broadcast === undefined) {
    if (wantsReply) channel.reply(frame.ref, 'error', { reason: 'Broadcast has no event' });
    return;
  }
  deliverBroadcast(hub, channel.name, channel.config.private, broadcast, channel);
  peers.broadcast(channel.name, channel.config.private, broadcast);
  if (wantsReply) channel.reply(frame.ref, 'ok', {});
}

// Broadcasts in the table realtime.messages: those that the database sends, and those stored for replay (Supabase docs,
// "Broadcast").

/** Broadcasts a new row. Every process reads the same stream and serves its own members. */
export function deliverStored(hub: Hub, change: Change): void {
  if (change.type !== 'INSERT') return;
  const row = new Map(
    change.relation.columns.map(({ name }, i) => [name, change.record?.[i] ?? null]),
  );
  const [topic, event, id] = [row.get('topic'), row.get('event'), row.get('id')];
  const broadcast = storedBroadcast(event, row.get('payload'), row.get('binary_payload'), { id });
  if (row.get('extension') !== 'broadcast' || !topic || broadcast === undefined) return;
  deliverBroadcast(hub, topic, row.get('private') === 't', broadcast);
}

function storedBroadcast(
  event: string | null | undefined,
  json: string | null | undefined,
  hex: string | null | undefined,
  meta: object,
): Broadcast | undefined {
  if (!event) return undefined;
  const head = { event, meta: JSON.stringify(meta) };
  // bytea_output is hex: `\x00ff`.
  if (typeof hex === 'string')
    return { ...head, payload: Buffer.from(hex.slice(2), 'hex'), isJson: false };
  return { ...head, payload: Buffer.from(json ?? '{}'), isJson: true };
}

interface StoredRow {
  id: string;
  event: string | null;
  payload: string | null;
  binary: string | null;
}

/** The newest messages, oldest first. $2 is in milliseconds since 1970. */
const REPLAY = `
  select id, event, payload::text as payload, '\\x' || encode(binary_payload, 'hex') as binary
  from realtime.messages
  where topic = $1 and private and extension = 'broadcast'
    and inserted_at >= greatest(to_timestamp($2::float8 / 1000), now() - make_interval(hours => $4)) at time zone 'utc'
    and inserted_at < now() at time zone 'utc'
  order by inserted_at desc, id limit $3`;

/** Sends a new channel the stored broadcasts of its topic, if it asked for them. */
export async function replay(
  { owner }: Database,
  log: FastifyBaseLogger,
  channel: Channel,
): Promise<void> {
  const request = channel.config.broadcast?.replay;
  if (!request || !channel.topicRights.read.has('broadcast')) return;
  try {
    const { rows } = await owner.query<StoredRow>(REPLAY, [
      channel.name,
      request.since,
      request.limit ?? REPLAYED_MESSAGES,
      STORED_HOURS,
    ]);
    for (const { id, event, payload, binary } of rows.reverse()) {
      const broadcast = storedBroadcast(event, payload, binary, { replayed: true, id });
      if (broadcast !== undefined && !channel.isClosed) {
        channel.socket.sendBroadcast(channel.topic, broadcast);
      }
    }
  } catch (error) {
    log.error({ err: error }, 'could not replay stored messages');
    if (!channel.isClosed) {
      channel.sendSystem(
        'system',
        'error',
        'UnableToReplayMessages: Stored messages could not be read',
      );
    }
  }
}

/**
 * Creates partitions for the next days and removes stored broadcasts older than 72 hours, now and every hour. Every process
 * does this; an advisory lock lets one at a time.
 * @returns a function that stops it
 */
export function maintainPartitions(
  { owner }: Database,
  log: FastifyBaseLogger,
): () => Promise<void> {
  const rounds = new Rounds(() => owner.query('select realtime.maintain_partitions()'), {
    everyMs: PARTITION_MAINTENANCE_MS,
    afterErrorMs: PARTITION_MAINTENANCE_MS,
    onError: (error) => log.error({ err: error }, 'could not maintain realtime.messages'),
  });
  rounds.start(0);
  return () => rounds.stop();
}
