import type { ClientBase } from 'pg';
import { keyOf, type Parameter, type Routine } from './model.ts';

const ROUTINES = `
  with recursive base (oid, root) as (
    select t.oid, t.oid from pg_type t where t.typtype <> 'd'
    union all
    select d.oid, b.root from pg_type d join base b on d.typbasetype = b.oid where d.typtype = 'd'
  )
  select n.nspname as schema, p.proname as name, obj_description(p.oid, 'pg_proc') as description,
    p.provolatile = 'v' as "isVolatile", p.proretset as "returnsSet", p.prorows = 1 as "isOneRow",
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
  join base b on b.oid = p.prorettype
  join pg_type t on t.oid = b.root
  left join pg_class tc on tc.oid = t.typrelid and tc.relkind in ('r', 'p', 'v', 'm', 'f')
  left join pg_namespace tn on tn.oid = tc.relnamespace
  left join pg_type at on p.pronargs = 1 and at.oid = p.proargtypes[0]
  left join pg_class ac on ac.oid = at.typrelid and ac.relkind in ('r', 'p', 'v', 'm', 'f')
  left join pg_namespace an on an.oid = ac.relnamespace
  where p.prokind = 'f' and t.typname not in ('trigger', 'event_trigger') and n.nspname = any($1)
  order by n.nspname, p.proname, p.oid`;

interface Row extends Omit<Routine, 'table'> {
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
  const found = await client.query<Row>(ROUTINES, [schemas]);
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
