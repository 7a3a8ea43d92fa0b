// Once a second: closes channels whose token has expired, and sockets that have gone silent or read too slowly together.
import { SILENCE_MS, WAITING_BYTES_OF_ALL } from '../limits.ts';
import type { Hub } from './hub.ts';

export function sweep(hub: Hub, now: Date): void {
  for (const socket of hub.sockets()) {
    if (now.getTime() - socket.lastHeardAt > SILENCE_MS) {
      socket.terminate();
      continue;
    }
    for (const channel of [...hub.channelsOf(socket).values()]) {
      if (channel.rights.expiresAt <= now.getTime()) hub.expel(channel, 'Token has expired');
    }
  }
}

/** Each may have a few megabytes waiting; a thousand of them may not. */
export function relieve(hub: Hub, limit = WAITING_BYTES_OF_ALL): void {
  const slow = hub.sockets().filter(({ waitingBytes }) => waitingBytes > 0);
  let waiting = slow.reduce((sum, { waitingBytes }) => sum + waitingBytes, 0);
  if (waiting <= limit) return;
  for (const socket of slow.sort((a, b) => b.waitingBytes - a.waitingBytes)) {
    waiting -= socket.waitingBytes;
    socket.dropAsSlow();
    if (waiting <= limit) return;
  }
}
