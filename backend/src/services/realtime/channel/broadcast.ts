import { z } from 'zod';
import type { Peers } from '../peers/peers.ts';
import type { Broadcast, Frame, Version } from '../socket/frames.ts';
import { broadcastWire } from '../socket/websocket-frames.ts';
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
