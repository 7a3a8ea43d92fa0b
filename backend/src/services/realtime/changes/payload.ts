// The `data` of a postgres_changes push (Supabase docs, "Realtime Protocol"), as JSON text shared by many subscribers.
import { CHANGE_BYTES } from '../limits.ts';
import { jsonText } from './json-values.ts';
import type { Change, Tuple } from './pgoutput.ts';
import type { Table } from './tables.ts';

/** Larger values are left out of a change that is too large. */
const SMALL_VALUE_BYTES = 64;

export interface View {
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
export function errorPayload(change: Change, reason: string): string {
  return `{${head(change)},"columns":[],"errors":${JSON.stringify([reason])}}`;
}

export function changePayload(change: Change, table: Table, view: View): string {
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
