import { z } from 'zod';
import { isUnavailable } from '../../../database/unavailable.ts';
import type { Frame } from '../socket/frames.ts';
import type { Socket } from '../socket/socket.ts';
import { handleBroadcast } from './broadcast.ts';
import type { Channel } from './channel.ts';
import { CANNOT_READ, join, type Realtime, tokenOf, topicRightsOf } from './join.ts';
import { readToken, TokenError } from './token.ts';

const AccessToken = z.object({ access_token: z.string() });

function reply(socket: Socket, frame: Frame, status: 'ok' | 'error', response: unknown): void {
  const payload = JSON.stringify({ status, response });
  const { joinRef, ref, topic } = frame;
  socket.send({ joinRef, ref, topic, event: 'phx_reply', payload });
}

/** Handles a client's frame (Supabase docs, "Realtime Protocol"). Invalid frames are answered or ignored. */
export async function handleFrame(realtime: Realtime, socket: Socket, frame: Frame): Promise<void> {
  const { topic, event } = frame;
  if (topic === 'phoenix') {
    if (event === 'heartbeat') reply(socket, frame, 'ok', {});
    return;
  }
  if (!topic.startsWith('realtime:')) {
    reply(socket, frame, 'error', { reason: 'unmatched topic' });
    return;
  }
  if (event === 'phx_join') return join(realtime, socket, frame);
  const channel = realtime.hub.channelsOf(socket).get(topic);
  if (channel === undefined) {
    if (event === 'phx_leave') reply(socket, frame, 'ok', {});
    else reply(socket, frame, 'error', { reason: 'unmatched topic' });
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
    const rights = await topicRightsOf(realtime, grant.caller, name, config.private);
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
