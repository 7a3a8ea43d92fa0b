// Media type handlers (PostgREST docs, "Media Type Handlers"): aggregates and functions that return a domain named like a
// media type.
import type { ClientBase } from 'pg';
import { keyOf, type MediaHandler, type SchemaCache } from './model.ts';

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

interface Row {
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
  const { rows } = await client.query<Row>(HANDLERS, [schemas]);
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
