// Presence: who is on a topic, and what each says of itself (PROTOCOL.md 3.4).
import { z } from 'zod';
import type { Frame } from '../socket/frames.ts';
import type { Channel } from './channel.ts';
import type { Hub } from './hub.ts';

type Meta = Record<string, unknown> & { phx_ref: string };
type State = Record<string, { metas: Meta[] }>;

interface Entry {
  key: string;
  meta: Meta;
}

const Message = z.object({ event: z.string(), payload: z.unknown().optional() });
const Details = z.record(z.string(), z.unknown());

const listOf = ({ key, meta }: Entry): State => ({ [key]: { metas: [meta] } });

export class Presence {
  readonly #hub: Hub;
  readonly #entries = new Map<Channel, Entry>();
  readonly #listening = new Set<Channel>();
  readonly #keys = new WeakMap<Channel, string>();

  constructor(hub: Hub) {
    this.#hub = hub;
    hub.onLeave((channel) => {
      this.#listening.delete(channel);
      this.#untrack(channel);
    });
  }

  /** Called once the join is answered: tells who is there. */
  welcome(channel: Channel): void {
    const mayRead = channel.topicRights.read.has('presence');
    if (channel.config.presence?.enabled && mayRead) this.#enable(channel);
  }

  handle(channel: Channel, frame: Frame): void {
    const reason = this.#refusalOf(channel, frame.payload);
    if (reason === undefined) channel.reply(frame.ref, 'ok', {});
    else channel.reply(frame.ref, 'error', { reason });
  }

  /** Does what the message asks. @returns why it could not */
  #refusalOf(channel: Channel, payload: unknown): string | undefined {
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
    const state: State = {};
    for (const member of this.#hub.members(channel.name, channel.config.private)) {
      const entry = this.#entries.get(member);
      if (entry === undefined) continue;
      const metas = Object.hasOwn(state, entry.key) ? (state[entry.key]?.metas ?? []) : [];
      // Defined, not assigned: a key may be `__proto__`.
      Object.defineProperty(state, entry.key, {
        value: { metas: [...metas, entry.meta] },
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    channel.push('presence_state', JSON.stringify(state));
  }

  #keyOf(channel: Channel): string {
    const known = this.#keys.get(channel) ?? (channel.config.presence?.key || crypto.randomUUID());
    this.#keys.set(channel, known);
    return known;
  }

  #track(channel: Channel, details: Record<string, unknown>): void {
    const before = this.#entries.get(channel);
    const meta: Meta = { ...details, phx_ref: crypto.randomUUID() };
    if (before !== undefined) meta.phx_ref_prev = before.meta.phx_ref;
    const entry = { key: this.#keyOf(channel), meta };
    this.#entries.set(channel, entry);
    this.#tell(channel, listOf(entry), before === undefined ? {} : listOf(before));
  }

  #untrack(channel: Channel): void {
    const entry = this.#entries.get(channel);
    if (entry === undefined) return;
    this.#entries.delete(channel);
    this.#tell(channel, {}, listOf(entry));
  }

  #tell({ name, config }: Channel, joins: State, leaves: State): void {
    const diff = JSON.stringify({ joins, leaves });
    for (const member of this.#hub.members(name, config.private)) {
      if (this.#listening.has(member) && !member.isClosed) member.push('presence_diff', diff);
    }
  }
}
