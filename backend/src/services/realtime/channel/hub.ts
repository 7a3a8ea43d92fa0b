// Every joined channel of this process, by socket and by topic.
import type { ChangeFeed } from '../changes/change-feed.ts';
import type { Socket } from '../socket/socket.ts';
import type { Channel } from './channel.ts';

const keyOf = (name: string, isPrivate: boolean): string =>
  `${isPrivate ? 'private' : 'public'}:${name}`;

export class Hub {
  readonly #bySocket = new Map<Socket, Map<string, Channel>>();
  readonly #byTopic = new Map<string, Set<Channel>>();
  readonly #socketOf = new WeakMap<Channel, Socket>();
  readonly #onLeave: ((channel: Channel) => void)[] = [];

  constructor(readonly feed: ChangeFeed) {}

  /** @param listener told each channel that left, for whatever reason */
  onLeave(listener: (channel: Channel) => void): void {
    this.#onLeave.push(listener);
  }

  add(socket: Socket): void {
    this.#bySocket.set(socket, new Map());
  }

  /** How many sockets there are. */
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

  /** @returns false when the socket closed in the meantime */
  join(socket: Socket, channel: Channel): boolean {
    const channels = this.#bySocket.get(socket);
    if (channels === undefined) return false;
    channels.set(channel.topic, channel);
    this.#socketOf.set(channel, socket);
    const key = keyOf(channel.name, channel.config.private);
    this.#byTopic.set(key, (this.#byTopic.get(key) ?? new Set()).add(channel));
    this.feed.subscribe(channel.subscriptions);
    this.feed.hold();
    return true;
  }

  members(name: string, isPrivate: boolean): Channel[] {
    return [...(this.#byTopic.get(keyOf(name, isPrivate)) ?? [])];
  }

  /** Ends a channel and tells its client why; the client does not come back by itself. */
  expel(channel: Channel, reason: string): void {
    const socket = this.#socketOf.get(channel);
    if (socket === undefined || channel.isClosed) return;
    channel.tell('system', 'error', reason);
    channel.sendClose();
    this.leave(socket, channel);
  }

  leave(socket: Socket, channel: Channel): void {
    if (channel.isClosed) return;
    channel.isClosed = true;
    const channels = this.#bySocket.get(socket);
    if (channels?.get(channel.topic) === channel) channels.delete(channel.topic);
    const key = keyOf(channel.name, channel.config.private);
    const members = this.#byTopic.get(key);
    members?.delete(channel);
    if (members?.size === 0) this.#byTopic.delete(key);
    this.feed.unsubscribe(channel.subscriptions);
    this.feed.letGo();
    for (const listener of this.#onLeave) listener(channel);
  }

  remove(socket: Socket): void {
    for (const channel of [...this.channelsOf(socket).values()]) this.leave(socket, channel);
    this.#bySocket.delete(socket);
  }
}
