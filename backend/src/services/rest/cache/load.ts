import { type ClientBase, DatabaseError, type Pool } from 'pg';
import { loadHandlers, loadRoutines, loadTables } from './load-objects.ts';
import { keyOf, type SchemaCache, type Table } from './model.ts';
import { loadReaches } from './reach.ts';
import { deriveRelationships, loadForeignKeys } from './relationships.ts';
import { loadViewColumns, type ViewOf } from './view-columns.ts';

const SETTINGS = `
  select split_part(setting, '=', 1) as name, substr(setting, strpos(setting, '=') + 1) as value
  from pg_db_role_setting s, unnest(s.setconfig) setting
  where s.setrole = 'authenticator'::regrole
    and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
    and setting like 'pgrst.%'
  order by s.setdatabase`;

// Only settings that a role may set for itself. Those of the login role apply already; the search path is the request's.
const ROLE_SETTINGS = `
  select r.rolname as role, split_part(entry, '=', 1) as name, substr(entry, strpos(entry, '=') + 1) as value
  from pg_db_role_setting s
  join pg_roles r on r.oid = s.setrole
  cross join unnest(s.setconfig) entry
  join pg_settings known on known.name = split_part(entry, '=', 1) and known.context = 'user'
  where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
    and r.rolname <> 'authenticator' and known.name <> 'search_path'
    and pg_has_role('authenticator', r.oid, 'MEMBER')
  order by s.setdatabase`;

/** A view's primary key consists of the primary keys of those of its tables whose key columns it all includes. */
function addViewKeys(
  tables: Map<string, Table>,
  views: ViewOf[],
  keys: Map<string, string[]>,
): void {
  for (const { schema, view, baseSchema, baseTable, columns } of views) {
    const table = tables.get(keyOf(schema, view));
    const names = (keys.get(keyOf(baseSchema, baseTable)) ?? []).map(
      (name) => columns.get(name)?.[0],
    );
    const included = names.filter((name) => name !== undefined);
    if (table && included.length === names.length) table.primaryKey.push(...included);
  }
}

async function primaryKeys(client: ClientBase): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ schema: string; table: string; columns: string[] }>(`
    select n.nspname as schema, c.relname as "table",
      (select array_agg(a.attname::text order by k.ord)
        from unnest(p.conkey) with ordinality k (num, ord), pg_attribute a
        where a.attrelid = p.conrelid and a.attnum = k.num) as columns
    from pg_constraint p
    join pg_class c on c.oid = p.conrelid
    join pg_namespace n on n.oid = c.relnamespace
    where p.contype = 'p'`);
  return new Map(rows.map((row) => [keyOf(row.schema, row.table), row.columns]));
}

async function load(
  client: ClientBase,
  schemas: readonly string[],
): Promise<
  Omit<SchemaCache, 'searchPath' | 'statementTimeout' | 'readsPlainly'> & { setsOutput: boolean }
> {
  // First, while the snapshot is recent: view definitions are printed from the current catalogue (see retryIfDropped).
  const reaches = await loadReaches(client);
  const tables = await loadTables(client, schemas);
  const { routines, computed } = await loadRoutines(client, schemas);
  const views = await loadViewColumns(client);
  addViewKeys(tables, views, await primaryKeys(client));
  const relationships = deriveRelationships(tables, await loadForeignKeys(client), views, computed);
  const settings = await client.query<{ name: string; value: string }>(SETTINGS);
  const ofRoles = await client.query<{ role: string; name: string; value: string }>(ROLE_SETTINGS);
  const roleSettings = new Map<string, [string, string][]>();
  for (const { role, name, value } of ofRoles.rows) {
    roleSettings.set(role, [...(roleSettings.get(role) ?? []), [name, value]]);
  }
  return {
    tables,
    roleSettings,
    routines,
    relationships,
    ...(await loadHandlers(client, schemas)),
    ...reaches,
    settings: Object.fromEntries(
      settings.rows.map(({ name, value }) => [name.slice('pgrst.'.length), value]),
    ),
  };
}

/** @param searchPath like `public, "Odd Name"` */
function parseSearchPath(searchPath: string): string[] {
  return [...searchPath.matchAll(/"((?:[^"]|"")*)"|[^\s,"]+/g)].map(
    ([plain, quoted]) => quoted?.replaceAll('""', '"') ?? plain,
  );
}

/**
 * Reads the whole schema cache in one transaction, so that its parts are consistent.
 * @param owner may read the whole catalogue
 * @param callers pool whose connections' default settings are read
 * @param schemas the exposed ones
 */
export async function loadSchemaCache(
  owner: Pool,
  callers: Pool,
  schemas: readonly string[],
): Promise<SchemaCache> {
  const { rows } = await callers.query<{ path: string; timeout: string; dates: string }>(
    `select current_setting('search_path') as path, current_setting('statement_timeout') as timeout,
      current_setting('DateStyle') as dates`,
  );
  const [own] = rows;
  const client = await owner.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    // Prints types and defaults with their schemas, so that they mean the same in any request's search path.
    await client.query(`set local search_path = ''`);
    const { setsOutput, ...cache } = await load(client, schemas);
    const ofRoles = [...cache.roleSettings.values()].flat();
    const isIso = own?.dates.startsWith('ISO') === true;
    return {
      ...cache,
      readsPlainly:
        isIso && !setsOutput && ofRoles.every(([name]) => name.toLowerCase() !== 'datestyle'),
      searchPath: parseSearchPath(own?.path ?? ''),
      statementTimeout: own?.timeout ?? '',
    };
  } finally {
    await client.query('rollback').catch(() => {});
    client.release();
  }
}

const ATTEMPTS = 5;

/**
 * Raised by functions such as pg_get_viewdef, which read the current catalogue whatever the snapshot, when an object
 * was dropped concurrently. These messages are never translated.
 */
const DROPPED = /^(could not open relation with OID|cache lookup failed for) /;

const wasDropped = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === 'XX000' && DROPPED.test(error.message);

/** Reads the catalogue again when an object was dropped concurrently. */
export async function retryIfDropped<Read>(read: () => Promise<Read>): Promise<Read> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (!wasDropped(error)) throw error;
    }
  }
  return read();
}
