import { z } from 'zod';
import type { PresenceEntry } from '../peers/messages.ts';
import type { Frame } from '../socket/frames.ts';
import type { Channel } from './channel.ts';
import type { Hub } from './hub.ts';

const Message = z.object({ event: z.string(), payload: z.unknown().optional() });
const Details = z.record(z.string(), z.unknown());

type Topic = Pick<PresenceEntry, 'topic' | 'private'>;
/** `meta` is null for an entry that was removed. */
type EntryChange = Omit<PresenceEntry, 'meta'> & { meta: Meta | null };

const topicOf = ({ name, config }: Channel): Topic => ({ topic: name, private: config.private });

export class Presence {
  readonly #state = new PresenceState();
  /** Channels that get presence messages. */
  readonly #listening = new Set<Channel>();
  /** Only channels that have tracked. */
  readonly #identities = new WeakMap<Channel, { id: string; key: string }>();
  /** Sends changes in this process to the others. */
  onLocalChange: (change: EntryChange) => void = () => {};

  constructor(private readonly hub: Hub) {
    hub.onLeave((channel) => {
      this.#listening.delete(channel);
      this.#untrack(channel);
    });
  }

  /** Called when the join is answered: sends the current state. */
  join(channel: Channel): void {
    const mayRead = channel.topicRights.read.has('presence');
    if (channel.config.presence?.enabled && mayRead) this.#enable(channel);
  }

  /** Called when a channel's rights may have changed. */
  updateRights(channel: Channel): void {
    if (!channel.topicRights.read.has('presence')) this.#listening.delete(channel);
    if (!channel.topicRights.write.has('presence')) this.#untrack(channel);
  }

  handle(channel: Channel, frame: Frame): void {
    const reason = this.#apply(channel, frame.payload);
    if (reason === undefined) channel.reply(frame.ref, 'ok', {});
    else channel.reply(frame.ref, 'error', { reason });
  }

  local(): PresenceEntry[] {
    return this.#state.of(undefined).map(({ peer: _, ...entry }) => entry);
  }

  /** Applies a change in another process. */
  applyFromPeer(peer: string, { meta, ...entry }: EntryChange): void {
    if (meta === null) this.#remove(entry, entry.id);
    else this.#set({ ...entry, meta, peer });
  }

  /** Replaces all entries of another process; with an empty list when it has ended. */
  replaceOfPeer(peer: string, entries: PresenceEntry[]): void {
    const current = new Set(entries.map(({ id }) => id));
    for (const member of this.#state.of(peer)) {
      if (!current.has(member.id)) this.#remove(member, member.id);
    }
    for (const entry of entries) {
      if (this.#state.get(entry, entry.id)?.meta.phx_ref !== entry.meta.phx_ref) {
        this.#set({ ...entry, peer });
      }
    }
  }

  /** Applies a client's message. @returns an error message, or undefined */
  #apply(channel: Channel, payload: unknown): string | undefined {
    const { data } = Message.safeParse(payload);
    if (data?.event === 'untrack') {
      this.#untrack(channel);
      return undefined;
    }
    if (data?.event !== 'track') return 'Presence event must be track or untrack';
    const details = Details.safeParse(data.payload);
    if (!details.success) return 'Presence track payload must be a map';
    const { read, write } = channel.topicRights;
    if (!write.has('presence')) return 'You do not have permissions to write to this Channel topic';
    if (!this.#listening.has(channel) && read.has('presence')) this.#enable(channel);
    this.#track(channel, details.data);
    return undefined;
  }

  #enable(channel: Channel): void {
    this.#listening.add(channel);
    const state = stateOf(this.#state.on(topicOf(channel)));
    channel.push('presence_state', JSON.stringify(state));
  }

  #identityOf(channel: Channel): { id: string; key: string } {
    const known = this.#identities.get(channel) ?? {
      id: crypto.randomUUID(),
      key: channel.config.presence?.key || crypto.randomUUID(),
    };
    this.#identities.set(channel, known);
    return known;
  }

  #track(channel: Channel, details: Record<string, unknown>): void {
    const topic = topicOf(channel);
    const identity = this.#identityOf(channel);
    const before = this.#state.get(topic, identity.id);
    const meta: Meta = { ...details, phx_ref: crypto.randomUUID() };
    if (before !== undefined) meta.phx_ref_prev = before.meta.phx_ref;
    this.#set({ ...topic, ...identity, meta, peer: undefined });
    this.onLocalChange({ ...topic, ...identity, meta });
  }

  #untrack(channel: Channel): void {
    const identity = this.#identities.get(channel);
    if (identity === undefined) return;
    const topic = topicOf(channel);
    if (this.#remove(topic, identity.id)) this.onLocalChange({ ...topic, ...identity, meta: null });
  }

  #set(member: Parameters<PresenceState['set']>[0]): void {
    const before = this.#state.set(member);
    this.#sendDiff(member, stateOf([member]), before === undefined ? {} : stateOf([before]));
  }

  /** @returns whether there was an entry */
  #remove(topic: Topic, id: string): boolean {
    const member = this.#state.remove(topic, id);
    if (member === undefined) return false;
    this.#sendDiff(topic, {}, stateOf([member]));
    return true;
  }

  #sendDiff(topic: Topic, joins: State, leaves: State): void {
    const diff = JSON.stringify({ joins, leaves });
    for (const member of this.hub.members(topic.topic, topic.private)) {
      if (this.#listening.has(member) && !member.isClosed) member.push('presence_diff', diff);
    }
  }
}

type Meta = Record<string, unknown> & { phx_ref: string };
type State = Record<string, { metas: Meta[] }>;

interface Member extends PresenceEntry {
  /** The process of the channel; undefined for this one. */
  peer: string | undefined;
}

const keyOf = ({ topic, private: isPrivate }: Topic): string => `${isPrivate} ${topic}`;

/** Groups members by key, as supabase-js expects. */
function stateOf(members: Iterable<{ key: string; meta: Meta }>): State {
  const state: State = {};
  for (const { key, meta } of members) {
    const metas = Object.hasOwn(state, key) ? (state[key]?.metas ?? []) : [];
    // Not assigned, because a key may be `__proto__`.
    Object.defineProperty(state, key, {
      value: { metas: [...metas, meta] },
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return state;
}

/** The presence entries of all topics, in this process and in the others. */
class PresenceState {
  readonly #byTopic = new Map<string, Map<string, Member>>();

  on(topic: Topic): Member[] {
    return [...(this.#byTopic.get(keyOf(topic))?.values() ?? [])];
  }

  get(topic: Topic, id: string): Member | undefined {
    return this.#byTopic.get(keyOf(topic))?.get(id);
  }

  /** @param peer another process; undefined for this one */
  of(peer: string | undefined): Member[] {
    return [...this.#byTopic.values()]
      .flatMap((members) => [...members.values()])
      .filter((member) => member.peer === peer);
  }

  /** @returns the previous entry */
  set(member: Member): Member | undefined {
    const key = keyOf(member);
    const members = this.#byTopic.get(key) ?? new Map<string, Member>();
    this.#byTopic.set(key, members);
    const before = members.get(member.id);
    members.set(member.id, member);
    return before;
  }

  /** @returns the removed entry */
  remove(topic: Topic, id: string): Member | undefined {
    const key = keyOf(topic);
    const members = this.#byTopic.get(key);
    const removed = members?.get(id);
    members?.delete(id);
    if (members?.size === 0) this.#byTopic.delete(key);
    return removed;
  }
}
