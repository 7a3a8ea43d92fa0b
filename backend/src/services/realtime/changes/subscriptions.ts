import type { Caller } from '../../../database/callers.ts';
import type { Condition } from './filter.ts';
import type { ChangeType, Relation } from './pgoutput.ts';

/** A channel. */
export interface Subscriber {
  /** Current role and claims; replaced with a refreshed token. */
  readonly rights: Rights;
  /** Called in commit order. */
  deliver(pushes: Push[]): void;
}

export interface Push {
  /** The matching bindings. */
  ids: number[];
  /** The push's `data` as JSON in UTF-8, shared by all subscribers that get the same. */
  data: Buffer;
}

export interface Rights {
  caller: Caller;
  /** Equal for tokens with equal rights: role and claims without those that change at each refresh. */
  group: string;
}

/** One binding of one channel. */
export interface Subscription {
  subscriber: Subscriber;
  /** Identifies the binding for the client; never 0. */
  id: number;
  event: ChangeType | '*';
  schema: string;
  /** `*` means every table of the schema. */
  table: string;
  filter: Condition[];
  /** Equal for equal filters; empty without a filter. */
  filterKey: string;
  select: string[] | undefined;
  /** Equal for equal selections. */
  selectKey: string;
  /** Position in the WAL before which changes are not delivered; undefined until it has joined. */
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
