// The texts of one batch of changes: each is made once for all who are told the same.
import { payloadText, refusalText } from './payload.ts';
import type { Change } from './pgoutput.ts';
import type { Subscription } from './subscriptions.ts';
import type { Table } from './tables.ts';
import type { Answer, RoleRights } from './visibility.ts';

const NO_PRIMARY_KEY = 'Error 400: Bad Request, no primary key';
const UNAUTHORIZED = 'Error 401: Unauthorized';
const UNREADABLE = 'Error 500: The row could not be checked';
const TABLE_IS_GONE = '42P01';
const FORBIDDEN = '42501';

export class Texts {
  readonly #table: Table;
  readonly #changes: Change[];
  readonly #views = new Map<string, (Buffer | undefined)[]>();

  constructor(table: Table, changes: Change[]) {
    this.#table = table;
    this.#changes = changes;
  }

  /**
   * How to tell one subscription of changes; what holds for all of them is decided once.
   * @returns undefined where it must not learn of any; else the text of each change, undefined where it must not learn of it
   */
  viewOf(
    answer: Answer,
    { filter, select, selectKey }: Subscription,
  ): ((position: number) => Buffer | undefined) | undefined {
    if ('refusal' in answer) {
      if (answer.refusal === TABLE_IS_GONE) return undefined;
      return this.#refusals(answer.refusal === FORBIDDEN ? UNAUTHORIZED : UNREADABLE);
    }
    const { rights, rows } = answer;
    const columns = new Set(rights.columns);
    const { primaryKey } = this.#table;
    const isUnknown = primaryKey.length === 0;
    // Not even that something has changed.
    if (columns.size === 0) return undefined;
    if (!primaryKey.every(({ name }) => columns.has(name))) {
      return this.#refusals(isUnknown ? NO_PRIMARY_KEY : UNAUTHORIZED);
    }
    // A filter on a column that the role may not read would tell its values one by one.
    if (!filter.every(({ column }) => columns.has(column))) return undefined;
    const told = this.#tellings(rights, select, selectKey);
    const refusals = isUnknown ? this.#refusals(NO_PRIMARY_KEY) : undefined;
    return (i) => {
      if (refusals !== undefined && this.#changes[i]?.type !== 'DELETE') return refusals(i);
      return rows === 'all' || rows.has(i) ? told(i) : undefined;
    };
  }

  #tellings(
    rights: RoleRights,
    select: string[] | undefined,
    selectKey: string,
  ): (i: number) => Buffer {
    const view = { ...rights, select };
    const key = `${rights.isSecured} ${JSON.stringify(rights.columns)} ${selectKey}`;
    return (i) => this.#make(key, i, (change) => payloadText(change, this.#table, view));
  }

  /** A DELETE that can't be shown is not told at all. */
  #refusals(reason: string): (i: number) => Buffer | undefined {
    return (i) =>
      this.#changes[i]?.type === 'DELETE'
        ? undefined
        : this.#make(reason, i, (change) => refusalText(change, reason));
  }

  #make(key: string, i: number, make: (change: Change) => string): Buffer {
    const texts = this.#views.get(key) ?? [];
    this.#views.set(key, texts);
    const known = texts[i];
    if (known !== undefined) return known;
    const change = this.#changes[i];
    if (change === undefined) throw new Error('There is no such change.');
    const made = Buffer.from(make(change));
    texts[i] = made;
    return made;
  }
}
