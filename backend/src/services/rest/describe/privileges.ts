import { z } from 'zod';
import type { Caller } from '../../../database/callers.ts';
import type { Database } from '../../../database/database.ts';

const PRIVILEGES = `
  select
    coalesce((
      select json_agg(json_build_object('name', c.relname, 'columns', (
        select coalesce(json_agg(a.attname order by a.attnum), '[]') from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and has_column_privilege(c.oid, a.attnum, 'SELECT')
      )) order by c.relname)
      from pg_class c
      where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'p', 'v', 'm', 'f')
        and (has_table_privilege(c.oid, 'SELECT') or has_any_column_privilege(c.oid, 'SELECT'))
    ), '[]')::text,
    coalesce((
      select json_agg(distinct p.proname) from pg_proc p
      where p.pronamespace = to_regnamespace($1) and has_function_privilege(p.oid, 'EXECUTE')
    ), '[]')::text,
    obj_description(to_regnamespace($1), 'pg_namespace')`;

const Tables = z.array(z.object({ name: z.string(), columns: z.array(z.string()) }));
const Functions = z.array(z.string());

export interface Privileges {
  tables: z.infer<typeof Tables>;
  functions: string[];
  description: string | null;
}

/**
 * Reads which tables, columns and functions the caller's role may use.
 * @throws pg's DatabaseError, for example for a role that does not exist
 */
export async function readPrivileges(
  database: Database,
  caller: Caller,
  schema: string,
): Promise<Privileges> {
  const name = `"${schema.replaceAll('"', '""')}"`;
  const statement = { text: PRIVILEGES, values: [name] };
  const { rows } = await database.callers.run(caller, statement, { readOnly: true });
  const [tables, functions, description] = rows[0] ?? [];
  return {
    tables: Tables.parse(JSON.parse(tables ?? '[]')),
    functions: Functions.parse(JSON.parse(functions ?? '[]')),
    description: description ?? null,
  };
}
