// The `filter` of a postgres_changes binding (Supabase docs, "Postgres Changes"): `col=[not.]op.value[,…]`; commas mean AND.
import { z } from 'zod';
import type { Caller, Callers } from '../../../database/callers.ts';
import { arrayLiteral, patternProblem } from '../../../database/sql-text.ts';
import { QUERY_OPTIONS } from '../limits.ts';
import type { Change, Value } from './pgoutput.ts';
import type { Table, TableColumn } from './tables.ts';

const SQL = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  isdistinct: 'is distinct from',
} as const;
type Operator = keyof typeof SQL | 'in' | 'is';

export interface Condition {
  column: string;
  operator: Operator;
  negated: boolean;
  /** One value, or the list of `in`. */
  values: string[];
}

export class FilterError extends Error {}

/** Splits at commas outside parentheses and quotes. A quote is special only where a value can begin. */
function splitTopLevel(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let part = '';
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charAt(i);
    if (quoted) {
      if (char === '\\') {
        part += char + text.charAt(i + 1);
        i += 1;
        continue;
      }
      quoted = char !== '"';
    } else if (char === '"' && /[.(,]$|^$/.test(part)) quoted = true;
    else if (char === '(') depth += 1;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (char === ',' && depth === 0) {
      parts.push(part);
      part = '';
      continue;
    }
    part += char;
  }
  return [...parts, part];
}

function unquote(value: string): string {
  const quoted = /^"(.*)"$/s.exec(value)?.[1];
  return quoted === undefined ? value : quoted.replace(/\\(.)/gs, '$1');
}

function isOperator(name: string | undefined): name is Operator {
  return name !== undefined && (name === 'in' || name === 'is' || Object.hasOwn(SQL, name));
}

function parseCondition(text: string): Condition {
  const refuse = (detail: string): never => {
    throw new FilterError(`Error parsing \`filter\` params: ${detail}`);
  };
  const at = text.indexOf('=');
  if (at < 1) return refuse(JSON.stringify([text]));
  const column = text.slice(0, at).trim();
  const rest = text.slice(at + 1).trim();
  const negated = rest.startsWith('not.');
  const [, operator, value = ''] = /^(\w+)\.(.*)$/s.exec(negated ? rest.slice(4) : rest) ?? [];
  if (!isOperator(operator)) return refuse(JSON.stringify(rest.split('.')));
  if (operator === 'in') {
    const list = /^\((.*)\)$/s.exec(value)?.[1];
    if (list === undefined) return refuse('`in` filter value must be wrapped by parentheses');
    return { column, operator, negated, values: splitTopLevel(list).map(unquote) };
  }
  if (operator === 'is' && !/^(null|true|false|unknown)$/i.test(value)) {
    return refuse('`is` filter value must be null, true, false or unknown');
  }
  return { column, operator, negated, values: [unquote(value)] };
}

/** @throws FilterError whose message is sent to the client */
export function parseFilter(text: string): Condition[] {
  const trimmed = text.trim();
  return trimmed === '' ? [] : splitTopLevel(trimmed).map(parseCondition);
}

// Applies a filter to changes: by comparing text where that is exact, else by asking PostgreSQL.

const MAX_PATTERN_LENGTH = 200;
const Positions = z.array(z.number());
const PATTERNS = new Set<Operator>(['like', 'ilike', 'match', 'imatch']);

/** @returns the text that PostgreSQL would print for the value, or undefined where that is uncertain */
function canonical(value: string, column: TableColumn): string | undefined {
  if (!column.textIsIdentity || column.isArray) return undefined;
  if (column.kind === 'number') {
    return /^-?\d{1,18}$/.test(value) ? BigInt(value).toString() : undefined;
  }
  if (column.kind === 'boolean') {
    return { true: 't', t: 't', false: 'f', f: 'f' }[value.toLowerCase()];
  }
  if (column.type === 'uuid') {
    return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)
      ? value.toLowerCase()
      : undefined;
  }
  return value;
}

type Test = (value: Value) => boolean;

/** @returns a test of the value's text, or undefined where only the database can decide */
function textTest(condition: Condition, column: TableColumn): Test | undefined {
  const { operator, negated, values } = condition;
  if (operator === 'is' && values[0]?.toLowerCase() === 'null') {
    return (value) => (value === null) !== negated;
  }
  if (operator !== 'eq' && operator !== 'neq' && operator !== 'in') return undefined;
  const canonicalValues = values.map((value) => canonical(value, column));
  if (canonicalValues.includes(undefined)) return undefined;
  const accepted = new Set<Value>(canonicalValues);
  const expected = (operator === 'neq') === negated;
  // As in SQL, a comparison with null is never true, even when negated.
  return (value) => value !== null && accepted.has(value) === expected;
}

function columnOf(condition: Condition, table: Table): TableColumn {
  const column = table.columns.get(condition.column);
  if (column !== undefined) return column;
  throw new FilterError(`invalid column for filter ${condition.column}`);
}

/** SQL of a condition on `k.value`, with its parameters from $2. */
function conditionSql(
  condition: Condition,
  column: TableColumn,
): { sql: string; values: string[] } {
  const { operator, negated, values } = condition;
  const not = negated ? 'not ' : '';
  const value = `k.value::${column.sqlType}`;
  const [first = ''] = values;
  if (operator === 'is') return { sql: `${not}(${value} is ${first.toLowerCase()})`, values: [] };
  if (operator === 'in') {
    const sql = `${not}(${value} = any ($2::${column.sqlType}[]))`;
    return { sql, values: [arrayLiteral(values)] };
  }
  const problem =
    operator === 'match' || operator === 'imatch'
      ? patternProblem(first, MAX_PATTERN_LENGTH)
      : undefined;
  if (problem !== undefined) throw new FilterError(`invalid regular expression: ${problem}`);
  const isPattern = PATTERNS.has(operator);
  const left = isPattern ? `${value}::text` : value;
  const right = isPattern ? '$2::text' : `$2::${column.sqlType}`;
  return { sql: `${not}(${left} ${SQL[operator]} ${right})`, values: [first] };
}

async function askDatabase(
  callers: Callers,
  caller: Caller,
  condition: Condition,
  column: TableColumn,
  values: (string | null)[],
): Promise<Set<number>> {
  const { sql, values: parameters } = conditionSql(condition, column);
  const reply = await callers.run(
    caller,
    {
      text: `select to_json(array(select k.ord - 1 from unnest($1::text[]) with ordinality as k (value, ord) where ${sql}))`,
      values: [arrayLiteral(values), ...parameters],
    },
    QUERY_OPTIONS,
  );
  return new Set(Positions.parse(JSON.parse(reply.rows[0]?.[0] ?? '[]')));
}

/**
 * A DELETE has only its key: a condition on another column lets it pass, so that clients learn of it.
 * @returns the positions of the changes that meet every condition
 * @throws FilterError for an unknown column; DatabaseError for an invalid value
 */
export async function matchFilter(
  callers: Callers,
  caller: Caller,
  conditions: Condition[],
  table: Table,
  changes: Change[],
): Promise<Set<number>> {
  let left = changes.map((_, i) => i);
  for (const condition of conditions) {
    const column = columnOf(condition, table);
    const textOf = (i: number): Value => {
      const change = changes[i];
      const tuple = change?.record ?? change?.old;
      const at = change?.relation.columns.findIndex(({ name }) => name === column.name) ?? -1;
      return tuple?.[at];
    };
    const known = left.filter((i) => textOf(i) !== undefined);
    const unknown = left.filter((i) => textOf(i) === undefined && changes[i]?.type === 'DELETE');
    const test = textTest(condition, column);
    let passed: number[];
    if (test !== undefined) passed = known.filter((i) => test(textOf(i)));
    else if (known.length === 0) passed = [];
    else {
      const values = known.map((i) => textOf(i) ?? null);
      const hits = await askDatabase(callers, caller, condition, column, values);
      passed = known.filter((_, position) => hits.has(position));
    }
    left = [...passed, ...unknown].sort((a, b) => a - b);
  }
  return new Set(left);
}

/**
 * Applies the filter to no rows, or a pattern to an empty text, so that an invalid column or value is reported when the
 * channel joins.
 * @throws FilterError or DatabaseError
 */
export async function checkFilter(
  callers: Callers,
  caller: Caller,
  conditions: Condition[],
  table: Table,
): Promise<void> {
  for (const condition of conditions) {
    const column = columnOf(condition, table);
    // Thousands of phones join at a shift change, each with a filter for its own id.
    const isKnownId = column.type === 'uuid' && textTest(condition, column) !== undefined;
    if (isKnownId) continue;
    if (PATTERNS.has(condition.operator)) {
      // With no rows, a pattern is read only while PostgreSQL plans, and that ends once it has a plan for any pattern.
      await askDatabase(callers, caller, condition, { ...column, sqlType: 'text' }, ['']);
    } else await askDatabase(callers, caller, condition, column, []);
  }
}
