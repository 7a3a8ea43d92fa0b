// Once a second: closes channels whose token has expired or whose session is over, and sockets that have gone silent.
import type { Pool } from 'pg';
import { SILENCE_MS } from '../limits.ts';
import type { Socket } from '../socket/socket.ts';
import type { Channel } from './channel.ts';
import type { Hub } from './hub.ts';

export function sweep(hub: Hub, now: Date): void {
  for (const socket of hub.sockets()) {
    if (now.getTime() - socket.lastHeardAt > SILENCE_MS) {
      socket.terminate();
      continue;
    }
    for (const channel of [...hub.channelsOf(socket).values()]) {
      if (channel.rights.expiresAt > now.getTime()) continue;
      close(hub, socket, channel, 'Token has expired');
    }
  }
}

function close(hub: Hub, socket: Socket, channel: Channel, reason: string): void {
  channel.tell('system', 'error', reason);
  channel.sendClose();
  hub.leave(socket, channel);
}

/**
 * Closes the channels of people who were signed out or disabled since they joined: one question for all of them.
 * @param auth connections that read the auth service's tables
 */
export async function sweepSessions(hub: Hub, auth: Pool): Promise<void> {
  const open = new Map<string, string>();
  for (const { rights } of hub.channels()) {
    if (rights.session) open.set(rights.session.id, rights.session.userId);
  }
  if (open.size === 0) return;
  const { rows } = await auth.query<{ id: string }>(
    `select claimed.id from unnest($1::uuid[], $2::uuid[]) as claimed (id, user_id)
     where not exists (
       select from auth.sessions s join auth.users u on u.id = s.user_id
       where s.id = claimed.id and s.user_id = claimed.user_id
         and (s.not_after is null or s.not_after > now())
         and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null)`,
    [[...open.keys()], [...open.values()]],
  );
  const ended = new Set(rows.map(({ id }) => id));
  for (const socket of hub.sockets()) {
    for (const channel of [...hub.channelsOf(socket).values()]) {
      const { session } = channel.rights;
      if (session && ended.has(session.id)) close(hub, socket, channel, 'Session has ended');
    }
  }
}
