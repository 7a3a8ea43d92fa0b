import type { ChangeFeed } from '../changes/change-feed.ts';
import { MAX_TOTAL_BUFFERED_BYTES, SOCKET_IDLE_MS } from '../limits.ts';
import type { Socket } from '../socket/socket.ts';
import type { Channel } from './channel.ts';

const keyOf = (name: string, isPrivate: boolean): string =>
  `${isPrivate ? 'private' : 'public'}:${name}`;

export class Hub {
  readonly #bySocket = new Map<Socket, Map<string, Channel>>();
  readonly #byTopic = new Map<string, Set<Channel>>();
  readonly #onLeave: ((channel: Channel) => void)[] = [];

  constructor(readonly feed: ChangeFeed) {}

  /** @param listener called for each channel that leaves, for any reason */
  onLeave(listener: (channel: Channel) => void): void {
    this.#onLeave.push(listener);
  }

  add(socket: Socket): void {
    this.#bySocket.set(socket, new Map());
  }

  get size(): number {
    return this.#bySocket.size;
  }

  sockets(): Socket[] {
    return [...this.#bySocket.keys()];
  }

  channels(): Channel[] {
    return [...this.#bySocket.values()].flatMap((channels) => [...channels.values()]);
  }

  channelsOf(socket: Socket): ReadonlyMap<string, Channel> {
    return this.#bySocket.get(socket) ?? new Map();
  }

  /** @returns false when the socket was closed in the meantime */
  join(channel: Channel): boolean {
    const channels = this.#bySocket.get(channel.socket);
    if (channels === undefined) return false;
    channels.set(channel.topic, channel);
    const key = keyOf(channel.name, channel.config.private);
    this.#byTopic.set(key, (this.#byTopic.get(key) ?? new Set()).add(channel));
    this.feed.subscribe(channel.subscriptions);
    this.feed.acquire();
    return true;
  }

  members(name: string, isPrivate: boolean): Channel[] {
    return [...(this.#byTopic.get(keyOf(name, isPrivate)) ?? [])];
  }

  /** Closes a channel and tells the client the reason. */
  close(channel: Channel, reason: string): void {
    if (channel.isClosed) return;
    channel.sendSystem('system', 'error', reason);
    channel.sendClose();
    this.leave(channel);
  }

  leave(channel: Channel): void {
    if (channel.isClosed) return;
    channel.isClosed = true;
    const channels = this.#bySocket.get(channel.socket);
    if (channels?.get(channel.topic) === channel) channels.delete(channel.topic);
    const key = keyOf(channel.name, channel.config.private);
    const members = this.#byTopic.get(key);
    members?.delete(channel);
    if (members?.size === 0) this.#byTopic.delete(key);
    this.feed.unsubscribe(channel.subscriptions);
    this.feed.release();
    for (const listener of this.#onLeave) listener(channel);
  }

  remove(socket: Socket): void {
    for (const channel of [...this.channelsOf(socket).values()]) this.leave(channel);
    this.#bySocket.delete(socket);
  }
}

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
export function closeSlowest(hub: Hub): void {
  const slow = hub.sockets().filter(({ bufferedBytes }) => bufferedBytes > 0);
  let total = slow.reduce((sum, { bufferedBytes }) => sum + bufferedBytes, 0);
  if (total <= MAX_TOTAL_BUFFERED_BYTES) return;
  for (const socket of slow.sort((a, b) => b.bufferedBytes - a.bufferedBytes)) {
    total -= socket.bufferedBytes;
    socket.closeAsTooSlow();
    if (total <= MAX_TOTAL_BUFFERED_BYTES) return;
  }
}
