// All subscriptions of the process, found by the changes that they may ask for.
import type { Change, Relation, Value } from './pgoutput.ts';
import type { Subscription } from './subscriptions.ts';

/** For one table, or one schema. */
class Listeners {
  readonly #others = new Set<Subscription>();
  /** Those with a single condition `column=eq.<id>`, by column and id: each of a thousand phones listens for its own rows. */
  readonly #byId = new Map<string, Map<string, Set<Subscription>>>();

  add(subscription: Subscription): void {
    const condition = idCondition(subscription);
    if (condition === undefined) return void this.#others.add(subscription);
    const { column, id } = condition;
    const ids = this.#byId.get(column) ?? new Map<string, Set<Subscription>>();
    this.#byId.set(column, ids);
    ids.set(id, (ids.get(id) ?? new Set()).add(subscription));
  }

  remove(subscription: Subscription): void {
    this.#others.delete(subscription);
    const { column = '', id = '' } = idCondition(subscription) ?? {};
    const ids = this.#byId.get(column);
    const set = ids?.get(id);
    set?.delete(subscription);
    if (set?.size === 0) ids?.delete(id);
    if (ids?.size === 0) this.#byId.delete(column);
  }

  get isEmpty(): boolean {
    return this.#others.size === 0 && this.#byId.size === 0;
  }

  /** @returns at least those that ask for one of the changes */
  of(changes: Change[]): Subscription[] {
    const found = [...this.#others];
    for (const [column, ids] of this.#byId) {
      const values = idsIn(changes, column);
      const sets = values === undefined ? ids.values() : values.map((id) => ids.get(id) ?? []);
      for (const set of sets) found.push(...set);
    }
    return found;
  }
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

function idCondition({ filter }: Subscription): { column: string; id: string } | undefined {
  const [condition] = filter;
  if (condition === undefined || filter.length > 1) return undefined;
  const { column, operator, negated, values } = condition;
  const [id = ''] = values;
  return operator === 'eq' && !negated && ID.test(id) ? { column, id } : undefined;
}

/** Only their text is the same wherever the ids are equal. */
const UUID_OID = 2950;

/** @returns the ids in a column, or undefined where they don't tell who asks for the changes */
function idsIn(changes: Change[], name: string): string[] | undefined {
  const columns = changes[0]?.relation.columns ?? [];
  const at = columns.findIndex((column) => column.name === name);
  if (columns[at]?.type !== UUID_OID) return undefined;
  const values = new Set<Value>(changes.map(({ record, old }) => (record ?? old)?.[at]));
  // A deletion that is logged without the column is for everyone who listens.
  if (values.has(undefined)) return undefined;
  return [...values].flatMap((value) => value ?? []);
}

const keyOf = (schema: string, table: string): string => JSON.stringify([schema, table]);

export class Subscriptions {
  readonly #byTable = new Map<string, Listeners>();

  add(subscription: Subscription): void {
    const key = keyOf(subscription.schema, subscription.table);
    const listeners = this.#byTable.get(key) ?? new Listeners();
    this.#byTable.set(key, listeners);
    listeners.add(subscription);
  }

  remove(subscription: Subscription): void {
    const key = keyOf(subscription.schema, subscription.table);
    const listeners = this.#byTable.get(key);
    listeners?.remove(subscription);
    if (listeners?.isEmpty) this.#byTable.delete(key);
  }

  #for({ schema, name }: Relation): Listeners[] {
    const keys = [keyOf(schema, name), keyOf(schema, '*'), keyOf('*', '*')];
    return keys.flatMap((key) => this.#byTable.get(key) ?? []);
  }

  wants(relation: Relation): boolean {
    return this.#for(relation).length > 0;
  }

  /**
   * @param changes of one relation
   * @returns those that may ask for one of them; `matchSubscriptions` says which do
   */
  of(relation: Relation, changes: Change[]): Subscription[] {
    return this.#for(relation).flatMap((listeners) => listeners.of(changes));
  }
}
