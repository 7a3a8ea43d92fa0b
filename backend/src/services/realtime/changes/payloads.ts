// The `data` of a postgres_changes push (Supabase docs, "Realtime Protocol"), as JSON text shared by many subscribers.
import { CHANGE_BYTES } from '../limits.ts';
import type { Change, Tuple } from './pgoutput.ts';
import type { Subscription } from './subscriptions.ts';
import { jsonText, type Table } from './tables.ts';
import type { RoleRights, Visibility } from './visibility.ts';

/** Larger values are left out of a change that is too large. */
const SMALL_VALUE_BYTES = 64;

interface View {
  /** Columns that the subscriber may read. */
  columns: string[];
  isSecured: boolean;
  /** Columns that the subscriber asked for; undefined means all. */
  select: string[] | undefined;
}

type Entry = [name: string, json: string];

function entries(tuple: Tuple | undefined, change: Change, table: Table): Entry[] {
  return change.relation.columns.flatMap(({ name }, i): Entry[] => {
    const value = tuple?.[i];
    const type = table.columns.get(name);
    return value === undefined || type === undefined ? [] : [[name, jsonText(value, type)]];
  });
}

const object = (list: Entry[]): string =>
  `{${list.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;

const bytesOf = (list: Entry[]): number =>
  list.reduce((sum, [, json]) => sum + Buffer.byteLength(json), 0);

function head(change: Change): string {
  const { schema, name } = change.relation;
  return `"schema":${JSON.stringify(schema)},"table":${JSON.stringify(name)},"commit_timestamp":"${change.committedAt.toISOString()}","type":"${change.type}"`;
}

/** For a change whose row the subscriber may not read. */
function errorPayload(change: Change, reason: string): string {
  return `{${head(change)},"columns":[],"errors":${JSON.stringify([reason])}}`;
}

function changePayload(change: Change, table: Table, view: View): string {
  const { select } = view;
  const readable = new Set(view.columns);
  const keys = new Set(table.primaryKey.map(({ name }) => name));
  const asked = (name: string): boolean => select === undefined || select.includes(name);

  const columns = [...table.columns.values()]
    .filter(({ name }) => readable.has(name) && asked(name))
    .map(({ name, type }) => ({ name, type }));
  let record = entries(change.record, change, table).filter(
    ([name]) => readable.has(name) && asked(name),
  );
  // An UPDATE that did not change the key has no old tuple.
  const before = change.old ?? change.record;
  const isWhole = change.old?.every((value) => value !== undefined) ?? false;
  // As in a Supabase project, a DELETE in a table with row-level security contains only the primary key.
  const isKeyOnly = !isWhole || (change.type === 'DELETE' && view.isSecured);
  let old = entries(before, change, table).filter(
    ([name]) => readable.has(name) && (keys.has(name) || (!isKeyOnly && asked(name))),
  );
  let errors = 'null';
  if (bytesOf(record) + bytesOf(old) > CHANGE_BYTES) {
    errors = '["Error 413: Payload Too Large"]';
    const isSmall = ([, json]: Entry): boolean => Buffer.byteLength(json) <= SMALL_VALUE_BYTES;
    record = record.filter(isSmall);
    old = old.filter(isSmall);
  }
  const parts = [`{${head(change)}`, `"columns":${JSON.stringify(columns)}`];
  if (change.type !== 'DELETE') parts.push(`"record":${object(record)}`);
  if (change.type !== 'INSERT') parts.push(`"old_record":${object(old)}`);
  return `${parts.join(',')},"errors":${errors}}`;
}

const NO_PRIMARY_KEY = 'Error 400: Bad Request, no primary key';
const UNAUTHORIZED = 'Error 401: Unauthorized';
const UNREADABLE = 'Error 500: The row could not be checked';
const UNDEFINED_TABLE = '42P01';
const INSUFFICIENT_PRIVILEGE = '42501';

type PayloadAt = (position: number) => Buffer | undefined;

/** The payloads of a batch of changes, each built once for all subscribers that get the same. */
export class Payloads {
  readonly #cache = new Map<string, (Buffer | undefined)[]>();

  constructor(
    private readonly table: Table,
    private readonly changes: Change[],
  ) {}

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
    const { primaryKey } = this.table;
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
      if (errorAt !== undefined && this.changes[i]?.type !== 'DELETE') return errorAt(i);
      return rows === 'all' || rows.has(i) ? payloadAt(i) : undefined;
    };
  }

  #changePayloads(rights: RoleRights, select: string[] | undefined, selectKey: string): PayloadAt {
    const view = { ...rights, select };
    const key = `${rights.isSecured} ${JSON.stringify(rights.columns)} ${selectKey}`;
    return (i) => this.#cached(key, i, (change) => changePayload(change, this.table, view));
  }

  /** There is no error payload for a DELETE. */
  #errors(reason: string): PayloadAt {
    return (i) =>
      this.changes[i]?.type === 'DELETE'
        ? undefined
        : this.#cached(reason, i, (change) => errorPayload(change, reason));
  }

  #cached(key: string, i: number, build: (change: Change) => string): Buffer {
    const payloads = this.#cache.get(key) ?? [];
    this.#cache.set(key, payloads);
    const known = payloads[i];
    if (known !== undefined) return known;
    const change = this.changes[i];
    if (change === undefined) throw new Error('There is no such change.');
    const built = Buffer.from(build(change));
    payloads[i] = built;
    return built;
  }
}
