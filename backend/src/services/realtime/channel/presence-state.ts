import type { PresenceEntry } from '../peers/messages.ts';

export type Meta = Record<string, unknown> & { phx_ref: string };
export type State = Record<string, { metas: Meta[] }>;

interface Topic {
  topic: string;
  private: boolean;
}

interface Member extends PresenceEntry {
  /** The process of the channel; undefined for this one. */
  peer: string | undefined;
}

const keyOf = ({ topic, private: isPrivate }: Topic): string => `${isPrivate} ${topic}`;

/** Groups members by key, as supabase-js expects. */
export function stateOf(members: Iterable<{ key: string; meta: Meta }>): State {
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
export class PresenceState {
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
