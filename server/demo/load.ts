// Inserts many rows with one statement: one array parameter per column is far cheaper than one parameter per value.
import type { ClientBase } from 'pg';

export type Value = string | number | boolean | null;
/** Column names and their PostgreSQL types. */
export type Columns = Readonly<Record<string, string>>;
export type Row<C extends Columns> = { readonly [Name in keyof C]: Value };

/**
 * @param rows one record for each row
 * @returns a FROM item `r` with the rows, and its parameters from $1
 */
export function asRows<C extends Columns>(
  columns: C,
  rows: readonly Row<C>[],
): { from: string; values: Value[][] } {
  const names = Object.keys(columns);
  const arrays = names.map((name, index) => `$${index + 1}::${columns[name]}[]`);
  return {
    from: `unnest(${arrays.join(', ')}) as r (${names.join(', ')})`,
    values: names.map((name) => rows.map((row) => row[name] ?? null)),
  };
}

/**
 * Inserts rows; property names are column names.
 * @param table with its schema
 * @param derived further columns, computed by SQL from the others
 */
export async function load<C extends Columns>(
  client: ClientBase,
  table: string,
  columns: C,
  rows: readonly Row<C>[],
  derived: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { from, values } = asRows(columns, rows);
  const names = [...Object.keys(columns), ...Object.keys(derived)].join(', ');
  const sources = [...Object.keys(columns), ...Object.values(derived)].join(', ');
  await client.query(`insert into ${table} (${names}) select ${sources} from ${from}`, values);
}
