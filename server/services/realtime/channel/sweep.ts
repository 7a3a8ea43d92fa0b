// Once a second: closes channels whose token has expired, and sockets that have gone silent.
import { SILENCE_MS } from '../limits.ts';
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
