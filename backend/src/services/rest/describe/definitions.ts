import {
  type Column,
  keyOf,
  type Relationship,
  type SchemaCache,
  type Table,
} from '../cache/model.ts';

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** All others are strings. */
const TYPES: Record<string, string> = {
  boolean: 'boolean',
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  numeric: 'number',
  real: 'number',
  'double precision': 'number',
};

/** @returns the JSON type of a PostgreSQL type; none for JSON itself, which may be anything */
export function typeOf(baseType: string): { [name: string]: Json } {
  if (baseType === 'json' || baseType === 'jsonb') return {};
  if (baseType.endsWith('[]')) return { type: 'array', items: typeOf(baseType.slice(0, -2)) };
  return { type: TYPES[baseType] ?? 'string' };
}

/** OpenAPI's names for integers; other types keep PostgreSQL's names. */
const FORMATS: Record<string, string> = { smallint: 'int32', integer: 'int32', bigint: 'int64' };

export const formatOf = (type: string): string => FORMATS[type] ?? type;

/** The first line of a comment is the summary, the rest the description. */
export function headingOf(comment: string | null): { [name: string]: Json } {
  const [, summary, description] = /^([^\n]*)\n*([\s\S]*)$/.exec(comment ?? '') ?? [];
  return { ...(summary && { summary }), ...(description && { description }) };
}

/** OpenAPI does not allow an empty list. */
export const requiredOf = (names: string[]): { [name: string]: Json } =>
  names.length === 0 ? {} : { required: names };

function keyNote(cache: SchemaCache, table: Table, column: string): string | undefined {
  const isKey = table.primaryKey.includes(column);
  const notes = isKey ? ['This is a Primary Key.<pk/>'] : [];
  const relationships = cache.relationships.get(keyOf(table.schema, table.name)) ?? [];
  for (const one of relationships.toSorted(tablesFirst)) {
    // A one-to-one relationship of a key may be the other end's.
    if (one.kind !== 'many-to-one' && (one.kind !== 'one-to-one' || isKey)) continue;
    const [pair, second] = one.columns;
    if (pair?.[0] !== column || second !== undefined) continue;
    const [, foreign] = pair;
    notes.push(
      `This is a Foreign Key to \`${one.foreignTable}.${foreign}\`.<fk table='${one.foreignTable}' column='${foreign}'/>`,
    );
    break;
  }
  return notes.length === 0 ? undefined : ['Note:', ...notes].join('\n');
}

const tablesFirst = (a: Relationship, b: Relationship): number =>
  Number(a.foreignIsView) - Number(b.foreignIsView);

/**
 * @returns a constant default as JSON; for strings also an expression as text; undefined for expressions of other types
 */
function defaultOf({ baseType, default: text }: Column): Json | undefined {
  if (text === null) return undefined;
  const { type } = typeOf(baseType);
  if (type === 'string') {
    return /^'((?:[^']|'')*)'::/.exec(text)?.[1]?.replaceAll("''", "'") ?? text;
  }
  const isConstant = type === 'boolean' ? /^(true|false)$/ : /^-?\d+(\.\d+)?$/;
  return isConstant.test(text) ? (JSON.parse(text) as number | boolean) : undefined;
}

function property(cache: SchemaCache, table: Table, column: Column): Json {
  const length = /^(?:character varying|character)\((\d+)\)$/.exec(column.type)?.[1];
  const description = [column.description, keyNote(cache, table, column.name)]
    .filter((text) => text != null)
    .join('\n\n');
  const constant = defaultOf(column);
  return {
    ...typeOf(column.baseType),
    format: formatOf(column.type.replace(/\(\d+\)$/, '')),
    ...(description !== '' && { description }),
    ...(length !== undefined && { maxLength: Number(length) }),
    ...(column.labels !== null && { enum: column.labels }),
    ...(constant !== undefined && { default: constant }),
  };
}

/** @param columns those that the caller may read */
export function definition(cache: SchemaCache, table: Table, columns: Set<string>): Json {
  const readable = [...table.columns.values()].filter(({ name }) => columns.has(name));
  return {
    type: 'object',
    ...(table.description !== null && { description: table.description }),
    ...requiredOf(
      readable.flatMap((one) => (one.isNullable || one.default !== null ? [] : [one.name])),
    ),
    properties: Object.fromEntries(readable.map((one) => [one.name, property(cache, table, one)])),
  };
}
