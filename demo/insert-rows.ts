// Inserts tens of thousands of rows fast: one statement per table, without triggers, and for the largest tables without
// indexes. Everything is restored before the commit.
import type { ClientBase } from 'pg';
import type { Database, Insert } from '../shared/database.types.ts';

type Value = string | number | boolean | null;
type Table = keyof Database['public']['Tables'];
/** Property names are column names. The table's constraints check the values. */
export type NewRow<T extends Table> = { readonly [Column in keyof Insert<T>]?: Value };

/**
 * One array parameter per column is far cheaper than one parameter per value.
 * @param columns names and PostgreSQL types
 * @returns a FROM item `r` with the rows, and its parameters from $1
 */
export function asRows(
  columns: Readonly<Record<string, string>>,
  rows: readonly Readonly<Record<string, Value | undefined>>[],
): { from: string; values: Value[][] } {
  const names = Object.keys(columns);
  const arrays = names.map((name, index) => `$${index + 1}::${columns[name]}[]`);
  return {
    from: `unnest(${arrays.join(', ')}) as r (${names.join(', ')})`,
    values: names.map((name) => rows.map((row) => row[name] ?? null)),
  };
}

/**
 * @param table with its schema
 * @param rows all with the same columns
 * @param derived further columns, computed by SQL from the others
 */
export async function insertInto(
  client: ClientBase,
  table: string,
  rows: readonly Readonly<Record<string, Value | undefined>>[],
  derived: Readonly<Record<string, string>> = {},
): Promise<void> {
  const given = Object.keys(rows[0] ?? {});
  const { rows: known } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attname = any ($2)`,
    [table, given],
  );
  const types = new Map(known.map(({ name, type }) => [name, type]));
  const columns = Object.fromEntries(given.map((name) => [name, types.get(name) ?? 'text']));
  const { from, values } = asRows(columns, rows);
  const names = [...given, ...Object.keys(derived)].join(', ');
  const sources = [...given, ...Object.values(derived)].join(', ');
  await client.query(`insert into ${table} (${names}) select ${sources} from ${from}`, values);
}

export function insertRows<T extends Table>(
  client: ClientBase,
  table: T,
  rows: readonly NewRow<T>[],
  derived?: Readonly<Record<string, string>>,
): Promise<void> {
  return insertInto(client, `public.${table}`, rows, derived);
}

interface Rule {
  drop: string;
  make: string;
}

/**
 * Primary keys and unique constraints stay, since foreign keys need them, and so does the index of the replica identity:
 * without it updates are refused, and recreating it would not make it the identity.
 */
async function rulesOf(client: ClientBase, tables: readonly string[]): Promise<Rule[]> {
  const { rows } = await client.query<Rule>(
    `select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make
     from pg_index i
     where i.indrelid = any ($1::regclass[]) and not i.indisreplident
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = i.indrelid)
     union all
     select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname),
       format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
     from pg_constraint k
     where k.conrelid = any ($1::regclass[]) and k.contype in ('x', 'f')`,
    [tables],
  );
  return rows;
}

/**
 * Runs `work` without the indexes, exclusion constraints and foreign keys of these tables, then recreates them: sorting and
 * checking once costs a third of doing it row by row. Recreating checks every row.
 * @param tables with their schemas
 */
export async function withoutIndexes(
  client: ClientBase,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const rules = await rulesOf(client, tables);
  await client.query(rules.map(({ drop }) => drop).join(';\n'));
  await work();
  await client.query(rules.map(({ make }) => make).join(';\n'));
}

/**
 * Runs `work` without triggers; foreign keys and constraints stay. `work` must write what the triggers would derive.
 */
export async function withoutTriggers(
  client: ClientBase,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const turn = (to: 'enable' | 'disable'): Promise<unknown> =>
    client.query(tables.map((table) => `alter table ${table} ${to} trigger user`).join(';\n'));
  await turn('disable');
  await work();
  await turn('enable');
}
