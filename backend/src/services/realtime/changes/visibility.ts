import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import type { Caller } from '../../../database/callers.ts';
import type { Database } from '../../../database/database.ts';
import { arrayElement, arrayLiteral, toArraySql } from '../../../database/sql-text.ts';
import { QUERY_OPTIONS } from '../limits.ts';
import type { Change } from './pgoutput.ts';
import type { Table, TableColumn } from './tables.ts';

export interface RoleRights {
  /** Columns that the role may read, in table order. */
  columns: string[];
  /** Row-level security is enabled on the table. */
  isSecured: boolean;
}

/**
 * Positions of the changes whose row the caller may read, or for a DELETE could have read, as far as the WAL contains the
 * old row; `all` if no policy restricts the role.
 */
type Rows = 'all' | ReadonlySet<number>;

/** Readable columns and rows of a batch, or the SQLSTATE of the database's error. */
export type Visibility = { rights: RoleRights; rows: Rows } | { sqlState: string };

const Right = z
  .object({ role: z.string(), columns: z.array(z.string()), secured: z.boolean() })
  .transform(({ role, columns, secured }) => [role, { columns, isSecured: secured }] as const);
const RIGHTS = z.array(Right).transform((list) => new Map(list));
const Reply = z.tuple([
  z.string(),
  z.string().transform((text) => RIGHTS.parse(JSON.parse(text))),
  z.string().transform((text) => z.array(z.string().nullable()).parse(JSON.parse(text))),
]);

const MAX_ATTEMPTS = 250;
const PAUSE_MS = 2;
const STATEMENT =
  'select snapshot, rights, to_json(answers) from realtime.visible_to($1, $2, $3, $4, $5)';
/** The login role, which has no privileges of its own: the function switches to each caller in turn. */
const LOGIN: Caller = { role: 'authenticator', claims: '' };

/**
 * A template for format(), whose parameters are the key columns' values. Its result is the visible positions, like
 * `{0,2}`. Uses a subselect per row, because a join would be planned to read all rows that the policies allow.
 */
function visibilitySql(table: Table, deleted: Deleted | undefined): string {
  const parts = [writtenRows(table), ...(deleted === undefined ? [] : [deletedRows(deleted)])];
  return `select array(${parts.join(' union all ')})::text`;
}

const escaped = (name: string): string => pg.escapeIdentifier(name).replaceAll('%', '%%');

function writtenRows(table: Table): string {
  if (table.primaryKey.length === 0) return 'select 0 where false';
  const keys = table.primaryKey.map(({ sqlType }) => `%L::${sqlType.replaceAll('%', '%%')}[]`);
  const names = table.primaryKey.map((_, i) => `k${i}`);
  const match = table.primaryKey.map(({ name }, i) => `t.${escaped(name)} = k.k${i}`);
  return `select k.ord - 1 from unnest(${keys.join(', ')}) with ordinality as k (${names.join(', ')}, ord)
    where (select true from ${table.sqlName.replaceAll('%', '%%')} t where ${match.join(' and ')} limit 1)`;
}

/** Numbers the old rows; no policy refers to a column of this name. */
const ORDINAL = '"realtime.ordinal"';

/** Selects the old rows under the table's name, so that its policies can be used as the condition. */
function deletedRows({ change, columns, condition, offset }: Deleted): string {
  const texts = columns.map(() => '%L::text[]');
  const names = columns.map((_, i) => `c${i}`);
  const values = columns.map(
    ({ name, sqlType }, i) => `u.c${i}::${sqlType.replaceAll('%', '%%')} as ${escaped(name)}`,
  );
  return `select ${offset} + ${ORDINAL} - 1 from (
    select u.ord as ${ORDINAL}, ${values.join(', ')}
    from unnest(${texts.join(', ')}) with ordinality as u (${names.join(', ')}, ord)
  ) as ${escaped(change.relation.name)} where ${condition.replaceAll('%', '%%')}`;
}

/** The deleted rows of a batch. */
interface Deleted {
  change: Change;
  /** Positions in the batch. */
  positions: number[];
  /** Columns whose old values the WAL contains. */
  columns: TableColumn[];
  /** SQL condition under which the current role could read a row. */
  condition: string;
  /** Number of the first one in the result. */
  offset: number;
}

/** @returns undefined when nothing was deleted, or no old values are known */
async function readDeleted(
  owner: pg.Pool,
  table: Table,
  changes: Change[],
  offset: number,
): Promise<Deleted | undefined> {
  const positions = changes.flatMap(({ type }, i) => (type === 'DELETE' ? [i] : []));
  const change = changes[positions[0] ?? -1];
  if (change === undefined) return undefined;
  const columns = change.relation.columns.flatMap(({ name }, at) => {
    const column = table.columns.get(name);
    const isKnown = positions.every((i) => changes[i]?.old?.[at] !== undefined);
    return column !== undefined && isKnown ? [column] : [];
  });
  if (columns.length === 0) return undefined;
  const { rows } = await owner.query<{ condition: string }>(
    'select realtime.read_condition($1, $2) as condition',
    [table.oid, columns.map(({ name }) => name)],
  );
  return { change, positions, columns, condition: rows[0]?.condition ?? 'false', offset };
}

/**
 * A change can arrive before its transaction is visible to others: PostgreSQL writes the commit to the WAL first.
 * @param snapshot `xmin:xmax:running,…`
 */
function sees(snapshot: string, xid: number): boolean {
  const [, xmax = '0', running = ''] = snapshot.split(':');
  const low = (id: string): number => Number(BigInt.asUintN(32, BigInt(id)));
  if (((low(xmax) - xid) | 0) <= 0) return false;
  return running === '' || !running.split(',').some((id) => low(id) === xid);
}

const elements = new WeakMap<Caller, string>();

/** Cached, because claims are long and used often. */
function claimsElement(caller: Caller): string {
  const known = elements.get(caller) ?? arrayElement(caller.claims);
  elements.set(caller, known);
  return known;
}

/** @returns an array literal for each column, of the new or the old rows */
function valuesOf(
  columns: TableColumn[],
  changes: Change[],
  positions: number[],
  row: 'record' | 'old',
): string[] {
  return columns.map(({ name }) => {
    const at = changes[0]?.relation.columns.findIndex((column) => column.name === name) ?? -1;
    return arrayLiteral(positions.map((i) => changes[i]?.[row]?.[at] ?? null));
  });
}

/**
 * Asks PostgreSQL, as each of the callers, which of the changed rows they may read now; in one round trip.
 * @param callers sorted by role
 * @param changes of one relation
 * @returns a result for each caller, in order
 * @throws DatabaseError when the whole query failed, for example by its timeout
 */
export async function readVisibility(
  database: Pick<Database, 'callers' | 'owner'>,
  callers: Caller[],
  table: Table,
  changes: Change[],
): Promise<Visibility[]> {
  const written = changes.flatMap(({ record }, i) => (record === undefined ? [] : [i]));
  const deleted = await readDeleted(database.owner, table, changes, written.length);
  const asked = [...written, ...(deleted?.positions ?? [])];
  const statement = {
    text: STATEMENT,
    values: [
      String(table.oid),
      visibilitySql(table, deleted),
      arrayLiteral([
        ...valuesOf(table.primaryKey, changes, written, 'record'),
        ...(deleted ? valuesOf(deleted.columns, changes, deleted.positions, 'old') : []),
      ]),
      arrayLiteral(callers.map(({ role }) => role)),
      toArraySql(callers.map(claimsElement)),
    ],
  };
  for (let attempt = 1; ; attempt += 1) {
    const reply = await database.callers.run(LOGIN, statement, QUERY_OPTIONS);
    const [snapshot, rights, answers] = Reply.parse(reply.rows[0]);
    if (attempt < MAX_ATTEMPTS && !changes.every(({ xid }) => sees(snapshot, xid))) {
      await pause(PAUSE_MS);
      continue;
    }
    return callers.map(({ role }, i): Visibility => {
      const answer = answers[i] ?? '{}';
      const known = rights.get(role);
      if (known?.columns.length === 0) return { rights: known, rows: new Set() };
      if (answer !== '*' && !answer.startsWith('{')) return { sqlState: answer };
      if (known === undefined) return { sqlState: '42P01' };
      if (answer === '*') return { rights: known, rows: 'all' };
      return { rights: known, rows: positionsOf(answer, asked) };
    });
  }
}

/** @param answer like `{0,2}`: indexes into `asked` */
function positionsOf(answer: string, asked: number[]): ReadonlySet<number> {
  const inner = answer.slice(1, -1);
  if (inner === '') return new Set();
  return new Set(inner.split(',').map((position) => asked[Number(position)] ?? -1));
}
