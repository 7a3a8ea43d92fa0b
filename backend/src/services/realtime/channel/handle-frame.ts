// What each event of a client does (PROTOCOL.md 3.1 and 3.2).

import { z } from 'zod';
import { isUnavailable } from '../../../database/unavailable.ts';
import type { Frame } from '../socket/frames.ts';
import type { Socket } from '../socket/socket.ts';
import { handleBroadcast } from './broadcast.ts';
import type { Channel } from './channel.ts';
import { type Joining, join, NO_READING, tokenOf, topicRightsOf } from './join.ts';
import { RefusedToken, readToken } from './token.ts';

const AccessToken = z.object({ access_token: z.string() });

function reply(socket: Socket, frame: Frame, status: 'ok' | 'error', response: unknown): void {
  const payload = JSON.stringify({ status, response });
  const { joinRef, ref, topic } = frame;
  socket.send({ joinRef, ref, topic, event: 'phx_reply', payload });
}

/** Handles one frame; a frame that makes no sense is answered or ignored, never fatal. */
export async function handleFrame(joining: Joining, socket: Socket, frame: Frame): Promise<void> {
  const { topic, event } = frame;
  if (topic === 'phoenix') {
    if (event === 'heartbeat') reply(socket, frame, 'ok', {});
    return;
  }
  if (!topic.startsWith('realtime:')) {
    reply(socket, frame, 'error', { reason: 'unmatched topic' });
    return;
  }
  if (event === 'phx_join') return join(joining, socket, frame);
  const channel = joining.hub.channelsOf(socket).get(topic);
  if (channel === undefined) {
    // Leaving what is left already is no error.
    if (event === 'phx_leave') reply(socket, frame, 'ok', {});
    else reply(socket, frame, 'error', { reason: 'unmatched topic' });
    return;
  }
  // A frame of an older join of the same topic is late.
  if (frame.joinRef !== null && frame.joinRef !== channel.joinRef) return;
  if (event === 'phx_leave') {
    channel.reply(frame.ref, 'ok', {});
    channel.sendClose();
    joining.hub.leave(socket, channel);
  } else if (!socket.messages.take(joining.context.now().getTime())) {
    joining.hub.expel(channel, 'Too many messages per second');
  } else if (event === 'access_token') await refresh(joining, socket, channel, frame.payload);
  else if (event === 'broadcast') handleBroadcast(joining, channel, frame);
  else if (event === 'presence') joining.presence.handle(channel, frame);
  else channel.reply(frame.ref, 'error', { reason: 'unmatched topic' });
}

async function refresh(
  joining: Joining,
  socket: Socket,
  channel: Channel,
  payload: unknown,
): Promise<void> {
  const given = AccessToken.safeParse(payload);
  if (!given.success) return;
  const { context, hub } = joining;
  const { name, config } = channel;
  const token = tokenOf(given.data.access_token, socket.apiKey);
  try {
    const grant = await readToken(context.keys, token, context.now());
    const rights = await topicRightsOf(joining, grant.caller, name, config.private);
    if (rights.read.size === 0) throw new RefusedToken(`Unauthorized: ${NO_READING}: ${name}`);
    channel.rights = grant;
    channel.topicRights = rights;
    joining.presence.review(channel);
    joining.access.look(channel);
  } catch (error) {
    if (error instanceof RefusedToken) hub.expel(channel, error.message);
    // What the new token grants can't be asked now, and the old grant must not outlive it.
    else if (isUnavailable(error)) hub.expel(channel, 'The database is not available');
    else throw error;
  }
}
