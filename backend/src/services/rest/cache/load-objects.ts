import type { ClientBase } from 'pg';
import {
  type Column,
  keyOf,
  type MediaHandler,
  type Parameter,
  type Routine,
  type SchemaCache,
  type Table,
} from './model.ts';

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

/** The type below each domain. */
const BASE = `with recursive base (oid, root) as (
    select t.oid, t.oid from pg_type t where t.typtype <> 'd'
    union all
    select d.oid, b.root from pg_type d join base b on d.typbasetype = b.oid where d.typtype = 'd'
  )`;

const COLUMNS = `
  ${BASE}
  select n.nspname as schema, c.relname as "table", a.attname as name,
    format_type(a.atttypid, a.atttypmod) as type,
    format_type(b.root, null) as "baseType",
    not a.attnotnull as "isNullable",
    case
      when a.attidentity <> '' then
        format('nextval(%L)', pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname))
      when a.attgenerated <> '' then null
      else coalesce(pg_get_expr(d.adbin, d.adrelid), (
        select pg_get_expr(t.typdefaultbin, 0) from pg_type t where t.oid = a.atttypid and t.typtype = 'd'
      ))
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

const ROUTINES = `
  ${BASE}
  select n.nspname as schema, p.proname as name, obj_description(p.oid, 'pg_proc') as description,
    p.provolatile = 'v' as "isVolatile",
    p.provolatile <> 'v' and p.proretset and not p.prosecdef and not p.proisstrict and p.proconfig is null
      and l.lanname = 'sql' as "isInlined",
    -- PostgreSQL applies it within the function, when the timer of the statement is already running.
    (select split_part(c, '=', 2) from unnest(p.proconfig) c where c like 'statement\\_timeout=%') as "statementTimeout",
    p.proretset as "returnsSet", p.prorows = 1 as "isOneRow",
    case
      when t.typname = 'void' then 'void'
      when t.typtype = 'c' or p.proargmodes::text[] && '{t,b,o}' then 'composite'
      else 'scalar'
    end as returns,
    tn.nspname as "tableSchema", tc.relname as "tableName",
    an.nspname as "argumentSchema", ac.relname as "argumentTable",
    coalesce((
      select json_agg(json_build_object(
        'name', coalesce(i.name, ''),
        -- Without a length these two mean one character or bit, and a cast would cut the value.
        'type', regexp_replace(format_type(i.type, null), '^(character|bit)(\\[\\])?$', '\\1 varying\\2'),
        'isRequired', i.ord <= p.pronargs - p.pronargdefaults, 'isVariadic', i.mode = 'v'
      ) order by i.ord)
      from (
        select name, type, coalesce(mode, 'i') as mode, row_number() over (order by ord) as ord
        from unnest(p.proargnames, coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargmodes::text[])
          with ordinality as all_arguments (name, type, mode, ord)
        where coalesce(mode, 'i') in ('i', 'b', 'v')
      ) i
    ), '[]') as parameters
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_language l on l.oid = p.prolang
  join base b on b.oid = p.prorettype
  join pg_type t on t.oid = b.root
  left join pg_class tc on tc.oid = t.typrelid and tc.relkind in ('r', 'p', 'v', 'm', 'f')
  left join pg_namespace tn on tn.oid = tc.relnamespace
  left join pg_type at on p.pronargs = 1 and at.oid = p.proargtypes[0]
  left join pg_class ac on ac.oid = at.typrelid and ac.relkind in ('r', 'p', 'v', 'm', 'f')
  left join pg_namespace an on an.oid = ac.relnamespace
  where p.prokind = 'f' and t.typname not in ('trigger', 'event_trigger') and n.nspname = any($1)
  order by n.nspname, p.proname, p.oid`;

interface RoutineRow extends Omit<Routine, 'table'> {
  isOneRow: boolean;
  tableSchema: string | null;
  tableName: string | null;
  argumentSchema: string | null;
  argumentTable: string | null;
  parameters: Parameter[];
}

const TAKES_A_BODY = ['json', 'jsonb', 'text', 'xml', 'bytea'];

/** Arguments are passed by name, or as the whole body to a single unnamed parameter. */
function isCallable(parameters: Parameter[]): boolean {
  const [first, ...more] = parameters;
  if (parameters.every(({ name }) => name !== '')) return true;
  return first !== undefined && more.length === 0 && TAKES_A_BODY.includes(first.type);
}

/** A function of a table's row that returns rows of a table (PostgREST docs, "Computed Relationships"). */
export interface ComputedRelationship {
  schema: string;
  table: string;
  foreignSchema: string;
  foreignTable: string;
  functionSchema: string;
  functionName: string;
  isToOne: boolean;
}

export async function loadRoutines(
  client: ClientBase,
  schemas: readonly string[],
): Promise<{ routines: Map<string, Routine[]>; computed: ComputedRelationship[] }> {
  const routines = new Map<string, Routine[]>();
  const computed: ComputedRelationship[] = [];
  const found = await client.query<RoutineRow>(ROUTINES, [schemas]);
  for (const row of found.rows) {
    const { tableSchema, tableName, argumentSchema, argumentTable, isOneRow, ...routine } = row;
    const isTable = tableSchema !== null && tableName !== null;
    const table = isTable ? { schema: tableSchema, name: tableName } : null;
    const key = keyOf(row.schema, row.name);
    if (isCallable(routine.parameters)) {
      routines.set(key, [...(routines.get(key) ?? []), { ...routine, table }]);
    }
    if (isTable && argumentSchema !== null && argumentTable !== null) {
      computed.push({
        schema: argumentSchema,
        table: argumentTable,
        foreignSchema: tableSchema,
        foreignTable: tableName,
        functionSchema: row.schema,
        functionName: row.name,
        isToOne: !row.returnsSet || isOneRow,
      });
    }
  }
  return { routines, computed };
}

// Media type handlers (PostgREST docs, "Media Type Handlers"): aggregates and functions that return a domain named like a
// media type.

const HANDLERS = `
  with media_types as (
    select t.oid, lower(t.typname) as name, t.typbasetype = 'bytea'::regtype as "isBytes"
    from pg_type t
    where t.typtype = 'd' and (t.typname ~* '^[a-z0-9.-]+/[a-z0-9.+-]+$' or t.typname = '*/*')
  )
  select an.nspname as schema, coalesce(ac.relname, at.typname) as name, m.name as "type", m."isBytes",
    at.typname = 'anyelement' as "takesAny",
    format('%I.%I', n.nspname, p.proname) as aggregate,
    case when ac.oid is not null then format('%I.%I', an.nspname, ac.relname) end as "rowType"
  from media_types m
  join pg_proc p on p.prorettype = m.oid and p.prokind = 'a' and p.pronargs = 1
  join pg_namespace n on n.oid = p.pronamespace
  join pg_type at on at.oid = p.proargtypes[0]
  join pg_namespace an on an.oid = at.typnamespace
  left join pg_class ac on ac.oid = at.typrelid and ac.relkind in ('r', 'p', 'v', 'm', 'f')
  where n.nspname = any($1) and (ac.oid is not null or at.typname = 'anyelement')
  union all
  select n.nspname, p.proname, m.name, m."isBytes", false, null, null
  from media_types m
  join pg_proc p on p.prorettype = m.oid and p.prokind = 'f' and not p.proretset
  join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = any($1)`;

interface HandlerRow {
  schema: string;
  name: string;
  type: string;
  takesAny: boolean;
  aggregate: string | null;
  rowType: string | null;
  isBytes: boolean;
}

export async function loadHandlers(
  client: ClientBase,
  schemas: readonly string[],
): Promise<Pick<SchemaCache, 'handlers' | 'anyRowHandlers'>> {
  const handlers = new Map<string, Map<string, MediaHandler>>();
  const anyRowHandlers = new Map<string, MediaHandler>();
  const { rows } = await client.query<HandlerRow>(HANDLERS, [schemas]);
  for (const { schema, name, type, takesAny, aggregate, rowType, isBytes } of rows) {
    const handler: MediaHandler = {
      mediaType: type === '*/*' ? 'application/octet-stream' : type,
      aggregate: aggregate ?? undefined,
      rowType: rowType ?? undefined,
      isBytes,
    };
    const key = keyOf(schema, name);
    const known = takesAny ? anyRowHandlers : (handlers.get(key) ?? new Map());
    known.set(type, handler);
    if (!takesAny) handlers.set(key, known);
  }
  return { handlers, anyRowHandlers };
}
