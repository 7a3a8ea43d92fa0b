import { changePayload, errorPayload } from './payload.ts';
import type { Change } from './pgoutput.ts';
import type { Subscription } from './subscriptions.ts';
import type { Table } from './tables.ts';
import type { RoleRights, Visibility } from './visibility.ts';

const NO_PRIMARY_KEY = 'Error 400: Bad Request, no primary key';
const UNAUTHORIZED = 'Error 401: Unauthorized';
const UNREADABLE = 'Error 500: The row could not be checked';
const UNDEFINED_TABLE = '42P01';
const INSUFFICIENT_PRIVILEGE = '42501';

type PayloadAt = (position: number) => Buffer | undefined;

/** The payloads of a batch of changes, each built once for all subscribers that get the same. */
export class Payloads {
  readonly #table: Table;
  readonly #changes: Change[];
  readonly #cache = new Map<string, (Buffer | undefined)[]>();

  constructor(table: Table, changes: Change[]) {
    this.#table = table;
    this.#changes = changes;
  }

  /**
   * @returns the payload of each change for the subscription, undefined for changes that must not be revealed; or
   *   undefined when none may be
   */
  forSubscription(
    visibility: Visibility,
    { filter, select, selectKey }: Subscription,
  ): PayloadAt | undefined {
    if ('sqlState' in visibility) {
      if (visibility.sqlState === UNDEFINED_TABLE) return undefined;
      const isForbidden = visibility.sqlState === INSUFFICIENT_PRIVILEGE;
      return this.#errors(isForbidden ? UNAUTHORIZED : UNREADABLE);
    }
    const { rights, rows } = visibility;
    const columns = new Set(rights.columns);
    const { primaryKey } = this.#table;
    const hasNoKey = primaryKey.length === 0;
    // Without any readable column not even the fact of a change is revealed.
    if (columns.size === 0) return undefined;
    if (!primaryKey.every(({ name }) => columns.has(name))) {
      return this.#errors(hasNoKey ? NO_PRIMARY_KEY : UNAUTHORIZED);
    }
    // A filter on a column that the role may not read would reveal its values one by one.
    if (!filter.every(({ column }) => columns.has(column))) return undefined;
    const payloadAt = this.#changePayloads(rights, select, selectKey);
    const errorAt = hasNoKey ? this.#errors(NO_PRIMARY_KEY) : undefined;
    return (i) => {
      if (errorAt !== undefined && this.#changes[i]?.type !== 'DELETE') return errorAt(i);
      return rows === 'all' || rows.has(i) ? payloadAt(i) : undefined;
    };
  }

  #changePayloads(rights: RoleRights, select: string[] | undefined, selectKey: string): PayloadAt {
    const view = { ...rights, select };
    const key = `${rights.isSecured} ${JSON.stringify(rights.columns)} ${selectKey}`;
    return (i) => this.#cached(key, i, (change) => changePayload(change, this.#table, view));
  }

  /** There is no error payload for a DELETE. */
  #errors(reason: string): PayloadAt {
    return (i) =>
      this.#changes[i]?.type === 'DELETE'
        ? undefined
        : this.#cached(reason, i, (change) => errorPayload(change, reason));
  }

  #cached(key: string, i: number, build: (change: Change) => string): Buffer {
    const payloads = this.#cache.get(key) ?? [];
    this.#cache.set(key, payloads);
    const known = payloads[i];
    if (known !== undefined) return known;
    const change = this.#changes[i];
    if (change === undefined) throw new Error('There is no such change.');
    const built = Buffer.from(build(change));
    payloads[i] = built;
    return built;
  }
}
