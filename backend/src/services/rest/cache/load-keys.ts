import type { ClientBase } from 'pg';

export interface ForeignKey {
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
