import pg from 'pg';
import { kindOf, type ValueType } from './json-values.ts';

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
select a.attname::text as name, t.typname::text as type, quote_ident(n.nspname) || '.' || quote_ident(t.typname) as sql_type,
  coalesce(element.typname, root.typname)::text as base, element.oid is not null as is_array,
  root.typname in ('uuid', 'int2', 'int4', 'int8', 'bool') or root.typtype = 'e'
    or (root.typname in ('text', 'varchar') and coalesce(co.collisdeterministic, true)) as identity,
  coalesce(a.attnum = any (pk.indkey), false) as is_key
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

interface Row {
  name: string;
  type: string;
  sql_type: string;
  base: string;
  is_array: boolean;
  identity: boolean;
  is_key: boolean;
}

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
  const { rows } = await owner.query<Row>(QUERY, [oid]);
  const columns = rows.map((row) => ({
    name: row.name,
    type: row.type,
    sqlType: row.sql_type,
    kind: kindOf(row.base),
    isArray: row.is_array,
    textIsIdentity: row.identity,
    isPrimaryKey: row.is_key,
  }));
  return {
    oid,
    sqlName,
    columns: new Map(columns.map((column) => [column.name, column])),
    primaryKey: columns.filter((column) => column.isPrimaryKey),
  };
}
