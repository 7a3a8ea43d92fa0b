import type { ClientBase } from 'pg';
import { type Column, keyOf, type Table } from './model.ts';

/** Bits of pg_relation_is_updatable. */
const CAN = { update: 4, insert: 8, delete: 16 };

// differsByCaller: a table with row-level security, or a view that reaches one or calls a function, may show each caller
// other rows.
const TABLES = `
  with recursive reached (view, relation) as (
    select oid, oid from pg_class where relkind = 'v' and relnamespace::regnamespace::text = any($1)
    union
    select r.view, d.refobjid
    from reached r
    join pg_rewrite w on w.ev_class = r.relation
    join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
    where d.refclassid = 'pg_class'::regclass
  ), differing (view) as (
    select r.view from reached r join pg_class b on b.oid = r.relation where b.relrowsecurity
    union
    select r.view
    from reached r
    join pg_rewrite w on w.ev_class = r.relation
    join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
    where d.refclassid = 'pg_proc'::regclass
  )
  select n.nspname as schema, c.relname as name, c.relkind in ('v', 'm') as "isView",
    c.relispartition as "isPartition",
    obj_description(c.oid, 'pg_class') as description,
    c.relrowsecurity or c.oid in (select view from differing) as "differsByCaller",
    case when c.relkind in ('r', 'p') then 28 else pg_relation_is_updatable(c.oid, true) end as events,
    coalesce((
      select array_agg(a.attname::text order by k.ord)
      from pg_constraint p, unnest(p.conkey) with ordinality k (num, ord), pg_attribute a
      where p.conrelid = c.oid and p.contype = 'p' and a.attrelid = c.oid and a.attnum = k.num
    ), '{}') as "primaryKey"
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname = any($1)
  order by n.nspname, c.relname`;

const COLUMNS = `
  with recursive base (oid, root) as (
    select t.oid, t.oid from pg_type t where t.typtype <> 'd'
    union all
    select d.oid, b.root from pg_type d join base b on d.typbasetype = b.oid where d.typtype = 'd'
  )
  select n.nspname as schema, c.relname as "table", a.attname as name,
    format_type(a.atttypid, a.atttypmod) as type,
    format_type(b.root, null) as "baseType",
    not a.attnotnull as "isNullable",
    case
      when a.attidentity <> '' then
        format('nextval(%L)', pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname))
      when a.attgenerated <> '' then null
      else pg_get_expr(d.adbin, d.adrelid)
    end as "default",
    col_description(c.oid, a.attnum) as description,
    (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e where e.enumtypid = b.root)
      as labels,
    case when a.atttypid <> b.root then (
      select json_object_agg(
        case when k.castsource = a.atttypid then 'toJson' else 'from' || initcap(k.castsource::regtype::text) end,
        format('%I.%I', fn.nspname, f.proname)
      )
      from pg_cast k
      join pg_proc f on f.oid = k.castfunc
      join pg_namespace fn on fn.oid = f.pronamespace
      where k.castcontext = 'i' and k.castmethod = 'f' and (
        (k.castsource = a.atttypid and k.casttarget = 'json'::regtype)
        or (k.castsource in ('json'::regtype, 'text'::regtype) and k.casttarget = a.atttypid)
      )
    ) end as representation
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_namespace n on n.oid = c.relnamespace
  join base b on b.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attnum > 0 and not a.attisdropped
    and c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname = any($1)
  order by c.oid, a.attnum`;

type TableRow = Omit<Table, 'columns' | 'insertable' | 'updatable' | 'deletable'> & {
  events: number;
};
type ColumnRow = Column & { schema: string; table: string };

export async function loadTables(
  client: ClientBase,
  schemas: readonly string[],
): Promise<Map<string, Table>> {
  const tables = new Map<string, Table>();
  const found = await client.query<TableRow>(TABLES, [schemas]);
  for (const { events, ...row } of found.rows) {
    tables.set(keyOf(row.schema, row.name), {
      ...row,
      columns: new Map(),
      insertable: (events & CAN.insert) !== 0,
      updatable: (events & CAN.update) !== 0,
      deletable: (events & CAN.delete) !== 0,
    });
  }
  const columns = await client.query<ColumnRow>(COLUMNS, [schemas]);
  for (const { schema, table, ...column } of columns.rows) {
    tables.get(keyOf(schema, table))?.columns.set(column.name, column);
  }
  return tables;
}
