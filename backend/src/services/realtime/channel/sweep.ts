import { MAX_TOTAL_BUFFERED_BYTES, SOCKET_IDLE_MS } from '../limits.ts';
import type { Hub } from './hub.ts';

/** Closes idle sockets, and channels whose token has expired. */
export function closeExpired(hub: Hub, now: Date): void {
  for (const socket of hub.sockets()) {
    if (now.getTime() - socket.lastMessageAt > SOCKET_IDLE_MS) {
      socket.terminate();
      continue;
    }
    for (const channel of [...hub.channelsOf(socket).values()]) {
      if (channel.rights.expiresAt <= now.getTime()) hub.close(channel, 'Token has expired');
    }
  }
}

/** Closes the slowest sockets when all together have too many bytes buffered. */
export function closeSlowest(hub: Hub, limit = MAX_TOTAL_BUFFERED_BYTES): void {
  const slow = hub.sockets().filter(({ bufferedBytes }) => bufferedBytes > 0);
  let total = slow.reduce((sum, { bufferedBytes }) => sum + bufferedBytes, 0);
  if (total <= limit) return;
  for (const socket of slow.sort((a, b) => b.bufferedBytes - a.bufferedBytes)) {
    total -= socket.bufferedBytes;
    socket.closeAsTooSlow();
    if (total <= limit) return;
  }
}
