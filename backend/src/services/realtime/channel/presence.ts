// Presence: who is on a topic, and what each says of itself (PROTOCOL.md 3.4).
import { z } from 'zod';
import type { Present } from '../peers/envelope.ts';
import type { Frame } from '../socket/frames.ts';
import type { Channel } from './channel.ts';
import type { Hub } from './hub.ts';
import { type Meta, Roster, type State, stateOf } from './roster.ts';

const Message = z.object({ event: z.string(), payload: z.unknown().optional() });
const Details = z.record(z.string(), z.unknown());

type Place = Pick<Present, 'topic' | 'private'>;
/** Told what changes in this process: the entry, or that it went (no meta). */
type Outward = (entry: Omit<Present, 'meta'> & { meta: Meta | null }) => void;

const placeOf = ({ name, config }: Channel): Place => ({ topic: name, private: config.private });

export class Presence {
  readonly #hub: Hub;
  readonly #roster = new Roster();
  readonly #listening = new Set<Channel>();
  /** Of channels that have tracked something. */
  readonly #identities = new WeakMap<Channel, { id: string; key: string }>();
  /** Set where other processes are to hear of it. */
  outward: Outward = () => {};

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

  /** Called when a channel's rights have changed: who may no longer read hears no more. */
  review(channel: Channel): void {
    if (!channel.topicRights.read.has('presence')) this.#listening.delete(channel);
    if (!channel.topicRights.write.has('presence')) this.#untrack(channel);
  }

  handle(channel: Channel, frame: Frame): void {
    const reason = this.#refusalOf(channel, frame.payload);
    if (reason === undefined) channel.reply(frame.ref, 'ok', {});
    else channel.reply(frame.ref, 'error', { reason });
  }

  /** Everybody present in this process. */
  own(): Present[] {
    return this.#roster.of(undefined).map(({ peer: _, ...present }) => present);
  }

  /** Somebody in another process came, changed or went (no meta). */
  fromPeer(peer: string, { meta, ...who }: Omit<Present, 'meta'> & { meta: Meta | null }): void {
    if (meta === null) this.#remove(who, who.id);
    else this.#set({ ...who, meta, peer });
  }

  /** Everybody present in another process, in place of what was known; nobody when it is gone. */
  allOfPeer(peer: string, present: Present[]): void {
    const now = new Set(present.map(({ id }) => id));
    for (const member of this.#roster.of(peer)) {
      if (!now.has(member.id)) this.#remove(member, member.id);
    }
    for (const one of present) {
      if (this.#roster.get(one, one.id)?.meta.phx_ref !== one.meta.phx_ref) {
        this.#set({ ...one, peer });
      }
    }
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
    const state = stateOf(this.#roster.on(placeOf(channel)));
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
    const place = placeOf(channel);
    const identity = this.#identityOf(channel);
    const before = this.#roster.get(place, identity.id);
    const meta: Meta = { ...details, phx_ref: crypto.randomUUID() };
    if (before !== undefined) meta.phx_ref_prev = before.meta.phx_ref;
    this.#set({ ...place, ...identity, meta, peer: undefined });
    this.outward({ ...place, ...identity, meta });
  }

  #untrack(channel: Channel): void {
    const identity = this.#identities.get(channel);
    if (identity === undefined) return;
    const place = placeOf(channel);
    if (this.#remove(place, identity.id)) this.outward({ ...place, ...identity, meta: null });
  }

  #set(member: Parameters<Roster['set']>[0]): void {
    const before = this.#roster.set(member);
    this.#tell(member, stateOf([member]), before === undefined ? {} : stateOf([before]));
  }

  /** @returns whether somebody was there */
  #remove(place: Place, id: string): boolean {
    const member = this.#roster.remove(place, id);
    if (member === undefined) return false;
    this.#tell(place, {}, stateOf([member]));
    return true;
  }

  #tell(place: Place, joins: State, leaves: State): void {
    const diff = JSON.stringify({ joins, leaves });
    for (const member of this.#hub.members(place.topic, place.private)) {
      if (this.#listening.has(member) && !member.isClosed) member.push('presence_diff', diff);
    }
  }
}
