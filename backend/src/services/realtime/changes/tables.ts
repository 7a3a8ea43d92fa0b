import pg from 'pg';
import { arrayLiteral } from '../../../database/sql-text.ts';
import type { Change } from './pgoutput.ts';

export interface TableColumn extends ValueType {
  name: string;
  /** pg_type.typname, as sent to subscribers. */
  type: string;
  /** Schema-qualified and quoted, for a cast. */
  sqlType: string;
  /** Equal values have equal texts, so that `eq` needs no query. */
  textIsIdentity: boolean;
  isPrimaryKey: boolean;
}

export interface Table {
  oid: number;
  /** Schema-qualified and quoted. */
  sqlName: string;
  columns: Map<string, TableColumn>;
  primaryKey: TableColumn[];
}

const QUERY = `
with recursive base as (
  select a.attnum, t.oid, t.typtype, t.typbasetype from pg_attribute a join pg_type t on t.oid = a.atttypid
  where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped
  union all
  select base.attnum, t.oid, t.typtype, t.typbasetype from base join pg_type t on t.oid = base.typbasetype
  where base.typtype = 'd'
)
select a.attname::text as name, t.typname::text as type, quote_ident(n.nspname) || '.' || quote_ident(t.typname) as "sqlType",
  coalesce(element.typname, root.typname)::text as base, element.oid is not null as "isArray",
  root.typname in ('uuid', 'int2', 'int4', 'int8', 'bool') or root.typtype = 'e'
    or (root.typname in ('text', 'varchar') and coalesce(co.collisdeterministic, true)) as "textIsIdentity",
  coalesce(a.attnum = any (pk.indkey), false) as "isPrimaryKey"
from pg_attribute a
join pg_type t on t.oid = a.atttypid
join pg_namespace n on n.oid = t.typnamespace
join base on base.attnum = a.attnum and base.typtype <> 'd'
join pg_type root on root.oid = base.oid
left join pg_type element on element.oid = root.typelem and root.typcategory = 'A'
left join pg_collation co on co.oid = a.attcollation
left join pg_index pk on pk.indrelid = a.attrelid and pk.indisprimary
where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped
order by a.attnum`;

/** @returns undefined when the table does not exist */
export async function readTable(
  owner: pg.Pool,
  schema: string,
  name: string,
): Promise<Table | undefined> {
  const sqlName = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
  const found = await owner.query<{ oid: number | null }>('select to_regclass($1)::oid as oid', [
    sqlName,
  ]);
  const oid = found.rows[0]?.oid;
  if (oid === null || oid === undefined) return undefined;
  const { rows } = await owner.query<Omit<TableColumn, 'kind'> & { base: string }>(QUERY, [oid]);
  const columns = rows.map(({ base, ...column }) => ({ ...column, kind: findKind(base) }));
  return {
    oid,
    sqlName,
    columns: new Map(columns.map((column) => [column.name, column])),
    primaryKey: columns.filter((column) => column.isPrimaryKey),
  };
}

// Converts PostgreSQL's text of a value to JSON text, as to_jsonb would print it. No value is parsed, so none is rounded.

/** Conversion of a type; `text` is a JSON string of PostgreSQL's text. */
export type Kind = 'number' | 'boolean' | 'json' | 'timestamp' | 'timestamptz' | 'text';

interface ValueType {
  kind: Kind;
  isArray: boolean;
}

const KINDS: Record<string, Kind> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'number',
  float4: 'number',
  float8: 'number',
  bool: 'boolean',
  json: 'json',
  jsonb: 'json',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
};

/** @param name pg_type.typname of the base type or the array's element type */
export function findKind(name: string): Kind {
  return KINDS[name] ?? 'text';
}

type Nested = (string | null | Nested)[];
// The type ids in @types/pg lack text[], which the library supports.
const TEXT_ARRAY = 1009 as Parameters<typeof pg.types.getTypeParser>[0];
const parseArray: (text: string) => Nested = pg.types.getTypeParser(TEXT_ARRAY);

/** '2026-01-02 03:04:05.678901+00' → '2026-01-02T03:04:05.678901+00:00' */
function isoTime(text: string, zoned: boolean): string {
  const iso = text.replace(/^([+\d]\d*-\d\d-\d\d) /, '$1T');
  return zoned ? iso.replace(/([+-]\d\d)(?= BC$|$)/, '$1:00') : iso;
}

function scalar(text: string, kind: Kind): string {
  switch (kind) {
    case 'number':
      // NaN and Infinity are not JSON numbers.
      return /^-?\d/.test(text) ? text : JSON.stringify(text);
    case 'boolean':
      return text === 't' ? 'true' : 'false';
    case 'json':
      return text;
    case 'timestamp':
    case 'timestamptz':
      return JSON.stringify(isoTime(text, kind === 'timestamptz'));
    default:
      return JSON.stringify(text);
  }
}

function nested(items: Nested, kind: Kind): string {
  const parts = items.map((item) => {
    if (item === null) return 'null';
    return Array.isArray(item) ? nested(item, kind) : scalar(item, kind);
  });
  return `[${parts.join(',')}]`;
}

export function jsonText(text: string | null, type: ValueType): string {
  if (text === null) return 'null';
  return type.isArray ? nested(parseArray(text), type.kind) : scalar(text, type.kind);
}

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
