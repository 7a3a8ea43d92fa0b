import { keyOf, namesIn, type Relationship, type SchemaCache, type Table } from '../cache/model.ts';
import { MIN_NAME_SCORE, mostSimilar } from '../cache/similar.ts';
import { RestError } from '../errors/catalogue.ts';
import type { SelectEmbed } from '../request/model.ts';

/** @throws RestError PGRST205 with the most similar name, if one is similar enough */
export function findTable(cache: SchemaCache, schema: string, name: string): Table {
  const found = cache.tables.get(keyOf(schema, name));
  if (found !== undefined) return found;
  throw noTable(cache, schema, name);
}

function noTable(cache: SchemaCache, schema: string, name: string): RestError {
  const known = [...cache.tables.values()].flatMap((table) =>
    table.schema === schema && !table.isPartition ? [table.name] : [],
  );
  const like = mostSimilar(name, known, MIN_NAME_SCORE);
  return new RestError(
    404,
    'PGRST205',
    `Could not find the table '${schema}.${name}' in the schema cache`,
    { hint: like === undefined ? null : `Perhaps you meant the table '${schema}.${like}'` },
  );
}

function constraintIs(one: Relationship, name: string): boolean {
  return 'constraint' in one && one.constraint === name;
}

/** @param side 0 for the column of the origin, 1 for the target's */
function singleColumnIs(one: Relationship, name: string, side: 0 | 1): boolean {
  return 'columns' in one && one.columns.length === 1 && one.columns[0]?.[side] === name;
}

function junctionIs(one: Relationship, name: string): boolean {
  return one.kind === 'many-to-many' && one.junction.table === name;
}

/** A foreign key of a table to itself is two relationships: to-many by table name, to-one by column name. */
function matchesSelf(one: Relationship, target: string, hint: string | undefined): boolean {
  const isMany = one.kind === 'one-to-many';
  if (hint === undefined) {
    return (
      (target === one.foreignTable && isMany) ||
      (one.kind === 'many-to-one' && singleColumnIs(one, target, 0))
    );
  }
  if (target !== one.foreignTable) return false;
  const isNamed = singleColumnIs(one, hint, 1) || constraintIs(one, hint);
  return (isMany && isNamed) || junctionIs(one, hint);
}

function matches(one: Relationship, target: string, hint: string | undefined): boolean {
  if (one.kind === 'computed') return one.functionName === target;
  if (one.isSelf) return matchesSelf(one, target, hint);
  if (hint === undefined) {
    if (target === one.foreignTable) return true;
    return !one.foreignIsView && (constraintIs(one, target) || singleColumnIs(one, target, 0));
  }
  return (
    target === one.foreignTable &&
    (constraintIs(one, hint) ||
      singleColumnIs(one, hint, 0) ||
      singleColumnIs(one, hint, 1) ||
      junctionIs(one, hint))
  );
}

function describeChoice(one: Relationship, origin: string): Record<string, string> {
  const columns = (table: string, pairs: [string, string][], side: 0 | 1): string =>
    `${table}(${pairs.map((pair) => pair[side]).join(', ')})`;
  const embedding = `${origin} with ${one.foreignTable}`;
  const choice = (cardinality: string, relationship: string) => {
    return { cardinality, embedding, relationship };
  };
  if (one.kind === 'computed') {
    return choice(one.isToOne ? 'many-to-one' : 'one-to-many', one.functionName);
  }
  if (one.kind === 'many-to-many') {
    const { table, constraint, foreignConstraint, columns: own, foreignColumns } = one.junction;
    const first = columns(constraint, own, 1);
    const second = columns(foreignConstraint, foreignColumns, 1);
    return choice(one.kind, `${table} using ${first} and ${second}`);
  }
  const first = columns(one.table, one.columns, 0);
  const second = columns(one.foreignTable, one.columns, 1);
  return choice(one.kind, `${one.constraint} using ${first} and ${second}`);
}

const KINDS = ['one-to-many', 'many-to-one', 'one-to-one', 'many-to-many', 'computed'];

/** The names of a relationship, the one to choose it by first. */
function namesOf(one: Relationship): string[] {
  if (one.kind === 'computed') return [one.functionName];
  if (one.kind !== 'many-to-many') return [one.constraint, ...one.columns.flat()];
  const { table, constraint, foreignConstraint, columns, foreignColumns } = one.junction;
  return [table, constraint, foreignConstraint, ...columns.flat(), ...foreignColumns.flat()];
}

/** PostgREST's order of the choices. */
const sortKey = (one: Relationship): string =>
  [one.foreignTable, KINDS.indexOf(one.kind), ...namesOf(one)].join('\0');

function ambiguous(origin: string, target: string, unsorted: Relationship[]): RestError {
  const found = unsorted
    .map((one) => ({ one, key: sortKey(one) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ one }) => one);
  const choices = found.map((one) => `'${one.foreignTable}!${namesOf(one)[0]}'`);
  return new RestError(
    300,
    'PGRST201',
    `Could not embed because more than one relationship was found for '${origin}' and '${target}'`,
    {
      details: found.map((one) => describeChoice(one, origin)),
      hint: `Try changing '${target}' to one of the following: ${choices.join(', ')}. Find the desired relationship in the 'details' key.`,
    },
  );
}

function missing(
  cache: SchemaCache,
  schema: string,
  origin: string,
  { name, hint }: SelectEmbed,
): RestError {
  const known = cache.relationships.get(keyOf(schema, origin)) ?? [];
  const using = hint === undefined ? '' : ` using the hint '${hint}'`;
  // The hint corrects the target if the origin has relationships, else the origin.
  const [given, names] =
    known.length > 0
      ? [name, known.map((one) => one.foreignTable)]
      : [origin, namesIn(schema, cache.relationships)];
  const meant = mostSimilar(given, names);
  const isUseful = meant !== undefined && meant !== given;
  return new RestError(
    400,
    'PGRST200',
    `Could not find a relationship between '${origin}' and '${name}' in the schema cache`,
    {
      details: `Searched for a foreign key relationship between '${origin}' and '${name}'${using} in the schema '${schema}', but no matches were found.`,
      hint: isUseful ? `Perhaps you meant '${meant}' instead of '${given}'.` : null,
    },
  );
}

/**
 * Finds the relationship of an embed (PostgREST docs, "Resource Embedding").
 * @param origin the table to embed into
 * @throws RestError PGRST200 when there is none, PGRST201 when there are several
 */
export function findRelationship(
  cache: SchemaCache,
  schema: string,
  origin: string,
  embed: SelectEmbed,
): Relationship {
  const found = (cache.relationships.get(keyOf(schema, origin)) ?? []).filter(
    (one) => one.foreignSchema === schema && matches(one, embed.name, embed.hint),
  );
  const [first] = found;
  // PostgREST does not support partitions here and finds no table.
  if (first === undefined && cache.tables.get(keyOf(schema, origin))?.isPartition)
    throw noTable(cache, schema, origin);
  if (first === undefined) throw missing(cache, schema, origin, embed);
  if (found.length > 1) throw ambiguous(origin, embed.name, found);
  return first;
}
