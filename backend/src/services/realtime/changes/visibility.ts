// Asks PostgreSQL, as each of many subscribers, which of some changed rows they may read now, and which columns.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import type { Caller } from '../../../database/callers.ts';
import type { Database } from '../../../database/database.ts';
import { arrayElement, arrayLiteral, arrayOf } from './array-literal.ts';
import type { Change } from './pgoutput.ts';
import { QUESTION } from './question.ts';
import type { Table, TableColumn } from './tables.ts';

/** What a role may read of the table, whatever the row. */
export interface RoleRights {
  /** In table order. */
  columns: string[];
  /** Row-level security is enabled on the table. */
  isSecured: boolean;
}

/**
 * Positions of the changes whose row the caller may read; `all` where no policy limits it. Of a DELETE: could have read,
 * as far as the log has the old row.
 */
export type Rows = 'all' | ReadonlySet<number>;

/** A refusal is an SQLSTATE. */
export type Answer = { rights: RoleRights; rows: Rows } | { refusal: string };

const RIGHTS = z
  .array(
    z.object({
      role: z.string(),
      columns: z.array(z.string()),
      secured: z.boolean(),
    }),
  )
  .transform(
    (list) =>
      new Map(list.map(({ role, columns, secured }) => [role, { columns, isSecured: secured }])),
  );
const Reply = z.tuple([
  z.string(),
  z.string().transform((text) => RIGHTS.parse(JSON.parse(text))),
  z.string().transform((text) => z.array(z.string().nullable()).parse(JSON.parse(text))),
]);

const TRIES = 250;
const PAUSE_MS = 2;
const STATEMENT =
  'select snapshot, rights, to_json(answers) from realtime.visible_to($1, $2, $3, $4, $5)';
/** The door's own login, which has no right of its own: the function becomes each caller in turn. */
const NOBODY: Caller = { role: 'authenticator', claims: '' };

/**
 * A template for format(), with the key's columns as its values. It answers the visible positions, like `{0,2}`.
 * A subselect for each row, because a join with the table would be planned to read all that the policies let through.
 */
function questionAbout(table: Table, deleted: Deleted | undefined): string {
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

/** Numbers the old rows; policies can't have a column of this name in mind. */
const ORDINAL = '"realtime.ordinal"';

/** The old rows under the table's own name, as its policies call it, with the policies as the condition. */
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

/** The deleted rows of a batch, and who could read them. */
interface Deleted {
  change: Change;
  /** Positions in the batch. */
  positions: number[];
  /** Columns whose old values the log has. */
  columns: TableColumn[];
  /** For the current role, over these columns. */
  condition: string;
  /** Number of the first one in the answer. */
  offset: number;
}

/** @returns undefined where nothing was deleted, or nothing is known of what was */
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
 * A change can reach us before its transaction ends for everyone else: PostgreSQL writes the commit to the log first.
 * @param snapshot `xmin:xmax:running,…`
 */
function sees(snapshot: string, xid: number): boolean {
  const [, xmax = '0', running = ''] = snapshot.split(':');
  const low = (id: string): number => Number(BigInt.asUintN(32, BigInt(id)));
  if (((low(xmax) - xid) | 0) <= 0) return false;
  return running === '' || !running.split(',').some((id) => low(id) === xid);
}

const elements = new WeakMap<Caller, string>();

/** Claims are long and asked about often: their literal is made once. */
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
 * One round trip for all changes of one table and many callers.
 * @param changes of one relation
 * @param callers equal roles side by side
 * @returns an answer for each caller, in their order
 * @throws DatabaseError when the whole question failed, for example by its time limit
 */
export async function readVisibility(
  { callers: door, owner }: Pick<Database, 'callers' | 'owner'>,
  callers: Caller[],
  table: Table,
  changes: Change[],
): Promise<Answer[]> {
  const written = changes.flatMap(({ record }, i) => (record === undefined ? [] : [i]));
  const deleted = await readDeleted(owner, table, changes, written.length);
  const asked = [...written, ...(deleted?.positions ?? [])];
  const statement = {
    text: STATEMENT,
    values: [
      String(table.oid),
      questionAbout(table, deleted),
      arrayLiteral([
        ...valuesOf(table.primaryKey, changes, written, 'record'),
        ...(deleted ? valuesOf(deleted.columns, changes, deleted.positions, 'old') : []),
      ]),
      arrayLiteral(callers.map(({ role }) => role)),
      arrayOf(callers.map(claimsElement)),
    ],
  };
  for (let attempt = 1; ; attempt += 1) {
    const reply = await door.run(NOBODY, statement, QUESTION);
    const [snapshot, rights, answers] = Reply.parse(reply.rows[0]);
    if (attempt < TRIES && !changes.every(({ xid }) => sees(snapshot, xid))) {
      await pause(PAUSE_MS);
      continue;
    }
    return callers.map(({ role }, i): Answer => {
      const answer = answers[i] ?? '{}';
      const known = rights.get(role);
      // Policies need not be asked about a table that the role may not read at all.
      if (known?.columns.length === 0) return { rights: known, rows: new Set() };
      if (answer !== '*' && !answer.startsWith('{')) return { refusal: answer };
      if (known === undefined) return { refusal: '42P01' };
      if (answer === '*') return { rights: known, rows: 'all' };
      return { rights: known, rows: positionsOf(answer, asked) };
    });
  }
}

/** @param answer `{0,2}`: positions among those asked about */
function positionsOf(answer: string, asked: number[]): ReadonlySet<number> {
  const inner = answer.slice(1, -1);
  if (inner === '') return new Set();
  return new Set(inner.split(',').map((position) => asked[Number(position)] ?? -1));
}
