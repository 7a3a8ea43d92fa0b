// Asks PostgreSQL, as the subscriber, which of some changed rows the subscriber may read now, and which columns.
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Caller, Callers } from '../../../database/callers.ts';
import { arrayLiteral } from './array-literal.ts';
import type { Change } from './pgoutput.ts';
import { QUESTION } from './question.ts';
import type { Table } from './tables.ts';

export interface Visibility {
  /** Positions of the changes whose row the caller may read. A DELETE is never among them: its row is gone. */
  rows: Set<number>;
  /** Columns that the caller may read, in table order. */
  columns: string[];
  /** Row-level security is enabled on the table. */
  isSecured: boolean;
}

const Reply = z.tuple([
  z.enum(['t', 'f']),
  z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text))),
  z.string().transform((text) => z.array(z.number()).parse(JSON.parse(text))),
  z.string(),
]);

const TRIES = 250;
const PAUSE_MS = 2;

/** One row comes back: secured, columns, visible positions, snapshot. $1 is the table, from $2 the key's columns. */
function statementFor(table: Table): string {
  const keys = table.primaryKey.map(({ sqlType }, i) => `$${i + 2}::${sqlType}[]`);
  const names = table.primaryKey.map((_, i) => `k${i}`);
  const match = table.primaryKey.map(
    ({ name }, i) => `t."${name.replaceAll('"', '""')}" = k.k${i}`,
  );
  const visible =
    table.primaryKey.length === 0
      ? `array[]::bigint[]`
      : `array(select k.ord - 1 from unnest(${keys.join(', ')}) with ordinality as k (${names.join(', ')}, ord)
    where not row_security_active(c.oid) or exists (select from ${table.sqlName} t where ${match.join(' and ')}))`;
  return `select c.relrowsecurity, to_json(array(select a.attname from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and has_schema_privilege(c.relnamespace, 'USAGE') and has_column_privilege(c.oid, a.attnum, 'SELECT')
    order by a.attnum)), to_json(${visible}), pg_current_snapshot()::text
  from pg_class c where c.oid = $1::oid`;
}

/**
 * A change can reach us before its transaction ends for everyone else: PostgreSQL writes the commit to the log first.
 * @param snapshot `xmin:xmax:running,…`
 */
function sees(snapshot: string, xid: number): boolean {
  const [, xmax = '0', running = ''] = snapshot.split(':');
  const low = (id: string): number => Number(BigInt.asUintN(32, BigInt(id)));
  if (((low(xmax) - xid) | 0) <= 0) return false;
  return running === '' || !running.split(',').some((id) => low(id) === xid);
}

/**
 * One round trip for all changes of one table and one caller.
 * @returns undefined when the table is gone
 * @throws DatabaseError 42501 when the caller may not read the table or its key at all
 */
export async function readVisibility(
  callers: Callers,
  caller: Caller,
  table: Table,
  changes: Change[],
): Promise<Visibility | undefined> {
  const written = changes.flatMap(({ record }, i) => (record === undefined ? [] : [i]));
  const keys = table.primaryKey.map(({ name }) =>
    written.map((i) => {
      const change = changes[i];
      const at = change?.relation.columns.findIndex((column) => column.name === name) ?? -1;
      return change?.record?.[at] ?? null;
    }),
  );
  const statement = {
    text: statementFor(table),
    values: [String(table.oid), ...keys.map(arrayLiteral)],
  };
  for (let attempt = 1; ; attempt += 1) {
    const reply = await callers.run(caller, statement, QUESTION);
    const [row] = reply.rows;
    if (row === undefined) return undefined;
    const [secured, columns, visible, snapshot] = Reply.parse(row);
    if (attempt < TRIES && !changes.every(({ xid }) => sees(snapshot, xid))) {
      await pause(PAUSE_MS);
      continue;
    }
    return {
      isSecured: secured === 't',
      columns,
      rows: new Set(visible.map((position) => written[position] ?? -1)),
    };
  }
}
