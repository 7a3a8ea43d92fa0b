import pg from 'pg';
import { arrayLiteral } from '../../../database/array-literal.ts';
import type { Change } from './pgoutput.ts';
import type { Table } from './tables.ts';

/**
 * Fetches unchanged TOASTed values, which the stream omits (PostgreSQL docs, "Logical Replication Message Formats"), from
 * the current rows, and fills them in. Records of rows that no longer exist stay incomplete.
 */
export async function fillUnchanged(
  owner: pg.Pool,
  table: Table,
  changes: Change[],
): Promise<void> {
  const incomplete = changes.filter(({ record }) => record?.includes(undefined));
  if (incomplete.length === 0 || table.primaryKey.length === 0) return;
  const columns = incomplete[0]?.relation.columns ?? [];
  const at = (name: string): number => columns.findIndex((column) => column.name === name);
  const keys = table.primaryKey.map(({ name }) =>
    arrayLiteral(incomplete.map(({ record }) => record?.[at(name)] ?? null)),
  );
  const quoted = (name: string): string => `t.${pg.escapeIdentifier(name)}`;
  const { rows } = await owner.query<{ ord: string; record: (string | null)[] }>(
    `select k.ord, array[${columns.map(({ name }) => `${quoted(name)}::text`).join(', ')}] as record
     from unnest(${table.primaryKey.map(({ sqlType }, i) => `$${i + 1}::${sqlType}[]`).join(', ')})
       with ordinality as k (${table.primaryKey.map((_, i) => `k${i}`).join(', ')}, ord)
     join ${table.sqlName} t on ${table.primaryKey.map(({ name }, i) => `${quoted(name)} = k.k${i}`).join(' and ')}`,
    keys,
  );
  for (const row of rows) {
    const record = incomplete[Number(row.ord) - 1]?.record;
    for (const [i, value] of record?.entries() ?? []) {
      if (record !== undefined && value === undefined) record[i] = row.record[i];
    }
  }
}
