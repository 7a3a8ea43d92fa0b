import type { ClientBase } from 'pg';
import type { ComputedRelationship } from './load-objects.ts';
import { keyOf, type Relationship, type RelationshipEnds, type Table } from './model.ts';
import type { ViewOf } from './view-columns.ts';

interface ForeignKey {
  constraint: string;
  schema: string;
  table: string;
  columns: string[];
  foreignSchema: string;
  foreignTable: string;
  foreignColumns: string[];
  /** The referencing columns are unique: the relationship is one-to-one. */
  isUnique: boolean;
  /** The referencing columns are part of the primary key, as in a junction table. */
  isInPrimaryKey: boolean;
}

// Without partitions' copies of their parent's keys (conparentid), which would make every embedding ambiguous.
const FOREIGN_KEYS = `
  select f.conname as constraint, n.nspname as schema, c.relname as "table",
    fn.nspname as "foreignSchema", fc.relname as "foreignTable",
    (select array_agg(a.attname::text order by k.ord)
      from unnest(f.conkey) with ordinality k (num, ord), pg_attribute a
      where a.attrelid = f.conrelid and a.attnum = k.num) as columns,
    (select array_agg(a.attname::text order by k.ord)
      from unnest(f.confkey) with ordinality k (num, ord), pg_attribute a
      where a.attrelid = f.confrelid and a.attnum = k.num) as "foreignColumns",
    exists (
      select from pg_constraint u
      where u.conrelid = f.conrelid and u.contype in ('p', 'u') and u.conkey <@ f.conkey and u.conkey @> f.conkey
    ) as "isUnique",
    exists (
      select from pg_constraint p where p.conrelid = f.conrelid and p.contype = 'p' and f.conkey <@ p.conkey
    ) as "isInPrimaryKey"
  from pg_constraint f
  join pg_class c on c.oid = f.conrelid
  join pg_namespace n on n.oid = c.relnamespace
  join pg_class fc on fc.oid = f.confrelid
  join pg_namespace fn on fn.oid = fc.relnamespace
  where f.contype = 'f' and f.conparentid = 0
  order by f.conname, f.oid`;

export async function loadForeignKeys(client: ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(FOREIGN_KEYS);
  return rows;
}

/** Limits the combinations for a view that includes columns several times. */
const MAX_NAMINGS = 16;

/** @returns the ways to name a key's columns in a view, which may include a column under several names */
function namings(columns: string[], names: Map<string, string[]>): string[][] {
  return columns.reduce<string[][]>(
    (found, column) =>
      found
        .flatMap((chosen) => (names.get(column) ?? []).map((name) => [...chosen, name]))
        .slice(0, MAX_NAMINGS),
    [[]],
  );
}

/** @returns every foreign key, and a copy for each view that includes all columns of one of its ends */
function throughViews(keys: ForeignKey[], views: ViewOf[]): ForeignKey[] {
  const ends = (schema: string, table: string, columns: string[]) => [
    { schema, table, columns },
    ...views.flatMap((view) => {
      if (view.baseSchema !== schema || view.baseTable !== table) return [];
      return namings(columns, view.columns).map((named) => ({
        schema: view.schema,
        table: view.view,
        columns: named,
      }));
    }),
  ];
  return keys.flatMap((key) =>
    ends(key.schema, key.table, key.columns).flatMap((own) =>
      ends(key.foreignSchema, key.foreignTable, key.foreignColumns).map((foreign) => ({
        ...key,
        ...own,
        foreignSchema: foreign.schema,
        foreignTable: foreign.table,
        foreignColumns: foreign.columns,
      })),
    ),
  );
}

const pairs = (left: string[], right: string[]): [string, string][] =>
  left.map((name, index) => [name, right[index] ?? '']);

type Name = readonly [schema: string, table: string];
type EndsOf = (own: Name, foreign: Name) => RelationshipEnds;

function bothDirections(key: ForeignKey, endsOf: EndsOf): Relationship[] {
  const { constraint, isUnique, columns, foreignColumns } = key;
  const own: Name = [key.schema, key.table];
  const foreign: Name = [key.foreignSchema, key.foreignTable];
  return [
    {
      ...endsOf(own, foreign),
      kind: isUnique ? 'one-to-one' : 'many-to-one',
      constraint,
      columns: pairs(columns, foreignColumns),
    },
    {
      ...endsOf(foreign, own),
      kind: isUnique ? 'one-to-one' : 'one-to-many',
      constraint,
      columns: pairs(foreignColumns, columns),
    },
  ];
}

function throughJunction(own: ForeignKey, other: ForeignKey, endsOf: EndsOf): Relationship {
  return {
    ...endsOf([own.foreignSchema, own.foreignTable], [other.foreignSchema, other.foreignTable]),
    kind: 'many-to-many',
    junction: {
      schema: own.schema,
      table: own.table,
      constraint: own.constraint,
      foreignConstraint: other.constraint,
      columns: pairs(own.foreignColumns, own.columns),
      foreignColumns: pairs(other.foreignColumns, other.columns),
    },
  };
}

function manyToMany(keys: ForeignKey[], endsOf: EndsOf): Relationship[] {
  const byJunction = new Map<string, ForeignKey[]>();
  for (const key of keys) {
    if (!key.isInPrimaryKey) continue;
    const name = keyOf(key.schema, key.table);
    byJunction.set(name, [...(byJunction.get(name) ?? []), key]);
  }
  return [...byJunction.values()].flatMap((links) =>
    links.flatMap((own) =>
      links
        .filter((other) => other !== own && other.constraint !== own.constraint)
        .map((other) => throughJunction(own, other, endsOf)),
    ),
  );
}

/** Derives relationships from foreign keys: both directions, many-to-many, through views; and adds computed ones. */
export function deriveRelationships(
  tables: Map<string, Table>,
  keys: ForeignKey[],
  views: ViewOf[],
  computed: ComputedRelationship[],
): Map<string, Relationship[]> {
  const isKnown = (schema: string, name: string): boolean => tables.has(keyOf(schema, name));
  const endsOf: EndsOf = ([schema, table], [foreignSchema, foreignTable]) => ({
    schema,
    table,
    foreignSchema,
    foreignTable,
    foreignIsView: tables.get(keyOf(foreignSchema, foreignTable))?.isView ?? false,
    isSelf: schema === foreignSchema && table === foreignTable,
  });
  const all = throughViews(keys, views);
  const made = computed.map(
    (found): Relationship => ({
      ...found,
      ...endsOf([found.schema, found.table], [found.foreignSchema, found.foreignTable]),
      kind: 'computed',
    }),
  );
  // A computed relationship overrides a detected one between the same tables.
  const overridden = new Set(
    made.map((one) =>
      one.kind === 'computed' ? `${keyOf(one.schema, one.table)}\0${one.functionName}` : '',
    ),
  );
  const detected = [
    ...all.flatMap((key) => bothDirections(key, endsOf)),
    ...manyToMany(all, endsOf),
  ].filter((one) => !overridden.has(`${keyOf(one.schema, one.table)}\0${one.foreignTable}`));
  const byTable = new Map<string, Relationship[]>();
  for (const one of [...detected, ...made]) {
    if (!isKnown(one.schema, one.table) || !isKnown(one.foreignSchema, one.foreignTable)) continue;
    if (one.kind === 'many-to-many' && !isKnown(one.junction.schema, one.junction.table)) continue;
    const key = keyOf(one.schema, one.table);
    const known = byTable.get(key);
    if (known === undefined) byTable.set(key, [one]);
    else known.push(one);
  }
  return byTable;
}
