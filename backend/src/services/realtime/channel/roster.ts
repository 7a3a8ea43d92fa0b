// Who is present on which topic, in this process and in the others.
import type { Present } from '../peers/envelope.ts';

export type Meta = Record<string, unknown> & { phx_ref: string };
export type State = Record<string, { metas: Meta[] }>;

interface Topic {
  topic: string;
  private: boolean;
}

interface Member extends Present {
  /** The process that it belongs to; undefined for this one. */
  peer: string | undefined;
}

const keyOf = (place: Topic): string => `${place.private} ${place.topic}`;

/** As supabase-js expects it: what members of one key say of themselves stands together. */
export function stateOf(members: Iterable<{ key: string; meta: Meta }>): State {
  const state: State = {};
  for (const { key, meta } of members) {
    const metas = Object.hasOwn(state, key) ? (state[key]?.metas ?? []) : [];
    // Defined, not assigned: a key may be `__proto__`.
    Object.defineProperty(state, key, {
      value: { metas: [...metas, meta] },
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return state;
}

export class Roster {
  readonly #byTopic = new Map<string, Map<string, Member>>();

  on(place: Topic): Member[] {
    return [...(this.#byTopic.get(keyOf(place))?.values() ?? [])];
  }

  get(place: Topic, id: string): Member | undefined {
    return this.#byTopic.get(keyOf(place))?.get(id);
  }

  /** @param peer whose members are wanted; undefined for this process */
  of(peer: string | undefined): Member[] {
    return [...this.#byTopic.values()]
      .flatMap((members) => [...members.values()])
      .filter((member) => member.peer === peer);
  }

  /** @returns what was there before */
  set(member: Member): Member | undefined {
    const key = keyOf(member);
    const members = this.#byTopic.get(key) ?? new Map<string, Member>();
    this.#byTopic.set(key, members);
    const before = members.get(member.id);
    members.set(member.id, member);
    return before;
  }

  /** @returns who was removed */
  remove(place: Topic, id: string): Member | undefined {
    const key = keyOf(place);
    const members = this.#byTopic.get(key);
    const removed = members?.get(id);
    members?.delete(id);
    if (members?.size === 0) this.#byTopic.delete(key);
    return removed;
  }
}
