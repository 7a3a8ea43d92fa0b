// Who listens to which table. A subscription is one binding of one channel; callers with equal rights are one group.
import type { Caller } from '../../../database/callers.ts';
import type { Condition } from './filter.ts';
import type { ChangeType, Relation } from './pgoutput.ts';

/** The channel, as far as the change feed knows it. */
export interface Subscriber {
  /** Role and claims as they are now; a refreshed token replaces them. */
  readonly rights: Rights;
  /** Changes in the order of their commits. */
  deliver(pushes: Push[]): void;
}

export interface Push {
  /** The bindings that the change concerns. */
  ids: number[];
  /** The push's `data` as JSON text in UTF-8, shared by all who are told the same. */
  data: Buffer;
}

export interface Rights {
  caller: Caller;
  /** Equal for tokens that grant the same: role and claims without those that change at each refresh. */
  group: string;
}

export interface Subscription {
  subscriber: Subscriber;
  /** What the client knows the binding by; never 0. */
  id: number;
  event: ChangeType | '*';
  schema: string;
  /** `*` means every table of the schema. */
  table: string;
  filter: Condition[];
  /** Equal for equal filters; empty without one. */
  filterKey: string;
  select: string[] | undefined;
  /** Equal for equal selections. */
  selectKey: string;
  /** Changes committed before this place in the log are none of its business; undefined until it has joined. */
  since: bigint | undefined;
}

const keyOf = (schema: string, table: string): string => JSON.stringify([schema, table]);

export class Subscriptions {
  readonly #byTable = new Map<string, Set<Subscription>>();

  add(subscription: Subscription): void {
    const key = keyOf(subscription.schema, subscription.table);
    const set = this.#byTable.get(key) ?? new Set();
    this.#byTable.set(key, set.add(subscription));
  }

  remove(subscription: Subscription): void {
    const key = keyOf(subscription.schema, subscription.table);
    const set = this.#byTable.get(key);
    if (!set?.delete(subscription)) return;
    if (set.size === 0) this.#byTable.delete(key);
  }

  #setsFor({ schema, name }: Relation): (Set<Subscription> | undefined)[] {
    return [keyOf(schema, name), keyOf(schema, '*'), keyOf('*', '*')].map((key) =>
      this.#byTable.get(key),
    );
  }

  wants(relation: Relation): boolean {
    return this.#setsFor(relation).some((set) => set !== undefined);
  }

  of(relation: Relation): Subscription[] {
    return this.#setsFor(relation).flatMap((set) => [...(set ?? [])]);
  }
}
