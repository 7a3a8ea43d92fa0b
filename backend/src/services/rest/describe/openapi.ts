// The OpenAPI description of the tables and functions that the caller's role may use (PostgREST docs, "OpenAPI").
import { z } from 'zod';
import type { Caller } from '../../../database/callers.ts';
import type { Database } from '../../../database/database.ts';
import { keyOf, type Routine, type SchemaCache, type Table } from '../cache/model.ts';
import { mediaType } from '../errors/catalogue.ts';
import { readAccepted } from '../request/accept.ts';
import { definition, formatOf, headingOf, type Json, requiredOf, typeOf } from './definitions.ts';

export const OPENAPI = 'application/openapi+json; charset=utf-8';
const ACCEPTED = ['application/openapi+json', 'application/json', 'application/*', '*/*'];

/** @throws RestError PGRST107 when the caller accepts no OpenAPI type */
export function checkAccept(header: string | undefined): void {
  if (header === undefined || header === '') return;
  const types = readAccepted(header).map(({ type }) => type);
  if (types.length > 0 && !types.some((type) => ACCEPTED.includes(type))) {
    throw mediaType(types.join(', '));
  }
}

const reference = (name: string): Json => ({ $ref: `#/parameters/${name}` });

const PARAMETERS: { [name: string]: Json } = {
  select: {
    name: 'select',
    in: 'query',
    type: 'string',
    required: false,
    description: 'Filtering Columns',
  },
  order: { name: 'order', in: 'query', type: 'string', required: false, description: 'Ordering' },
  limit: {
    name: 'limit',
    in: 'query',
    type: 'string',
    required: false,
    description: 'Limiting and Pagination',
  },
  offset: {
    name: 'offset',
    in: 'query',
    type: 'string',
    required: false,
    description: 'Limiting and Pagination',
  },
  range: {
    name: 'Range',
    in: 'header',
    type: 'string',
    required: false,
    description: 'Limiting and Pagination',
  },
  on_conflict: {
    name: 'on_conflict',
    in: 'query',
    type: 'string',
    required: false,
    description: 'On Conflict',
  },
  prefer: {
    name: 'Prefer',
    in: 'header',
    type: 'string',
    required: false,
    description: 'Preference',
  },
};

function tablePath(table: Table, columns: string[]): Json {
  const { name } = table;
  const filters = columns.map((column) => reference(`rowFilter.${name}.${column}`));
  const base = { tags: [name], ...headingOf(table.description) };
  const done = { description: 'OK' };
  const body = reference(`body.${name}`);
  const rows = { type: 'array', items: { $ref: `#/definitions/${name}` } };
  const read = ['select', 'order', 'range', 'offset', 'limit', 'prefer'].map(reference);
  return {
    get: {
      ...base,
      parameters: [...filters, ...read],
      responses: { 200: { ...done, schema: rows } },
    },
    ...(table.insertable && {
      post: {
        ...base,
        parameters: [body, reference('select'), reference('on_conflict'), reference('prefer')],
        responses: { 201: { description: 'Created' } },
      },
    }),
    ...(table.updatable && {
      patch: {
        ...base,
        parameters: [...filters, body, reference('prefer')],
        responses: { 204: { description: 'No Content' } },
      },
    }),
    ...(table.deletable && {
      delete: {
        ...base,
        parameters: [...filters, reference('prefer')],
        responses: { 204: { description: 'No Content' } },
      },
    }),
  };
}

/** A VARIADIC parameter may be repeated; other arrays are PostgreSQL array literals, and JSON is text. */
function queryType({ type, isVariadic }: Routine['parameters'][number]): { [name: string]: Json } {
  if (isVariadic) {
    const element = type.replace(/\[\]$/, '');
    const items = { ...typeOf(element), format: formatOf(element) };
    return { type: 'array', items, collectionFormat: 'multi' };
  }
  const { type: kind = 'string' } = typeOf(type);
  return { type: kind === 'array' ? 'string' : kind, format: formatOf(type) };
}

function routinePath(routine: Routine): Json {
  const named = routine.parameters.filter(({ name }) => name !== '');
  const base = {
    tags: [`(rpc) ${routine.name}`],
    ...headingOf(routine.description),
    responses: { 200: { description: 'OK' } },
  };
  const schema: Json = {
    type: 'object',
    ...requiredOf(named.filter(({ isRequired }) => isRequired).map(({ name }) => name)),
    properties: Object.fromEntries(
      named.map(({ name, type }) => [name, { ...typeOf(type), format: formatOf(type) }]),
    ),
  };
  const args: Json = { name: 'args', in: 'body', required: true, schema };
  const query = named.map((parameter): Json => {
    const { name, isRequired } = parameter;
    return { name, in: 'query', required: isRequired, ...queryType(parameter) };
  });
  return {
    ...(!routine.isVolatile && { get: { ...base, parameters: query } }),
    post: { ...base, parameters: [args, reference('prefer')] },
  };
}

/** @param address of the service, for example `https://example.org/rest/v1` */
export function openApi(
  cache: SchemaCache,
  schema: string,
  privileges: Privileges,
  address: URL,
): Json {
  const tables = privileges.tables.flatMap(({ name, columns }) => {
    const table = cache.tables.get(keyOf(schema, name));
    return table === undefined ? [] : [{ table, columns }];
  });
  const routines = privileges.functions.flatMap((name) =>
    (cache.routines.get(keyOf(schema, name)) ?? []).slice(0, 1),
  );
  const { summary, description } = headingOf(privileges.description);
  return {
    swagger: '2.0',
    info: {
      title: summary ?? `${schema} schema`,
      description: description ?? 'The tables and functions that you may use',
      version: '1',
    },
    host: address.host,
    basePath: address.pathname,
    schemes: [address.protocol.replace(':', '')],
    consumes: ['application/json', 'application/vnd.pgrst.object+json', 'text/csv'],
    produces: ['application/json', 'application/vnd.pgrst.object+json', 'text/csv'],
    paths: Object.fromEntries([
      ...tables.map(({ table, columns }) => [`/${table.name}`, tablePath(table, columns)]),
      ...routines.map((routine) => [`/rpc/${routine.name}`, routinePath(routine)]),
    ]),
    definitions: Object.fromEntries(
      tables.map(({ table, columns }) => [table.name, definition(cache, table, new Set(columns))]),
    ),
    parameters: {
      ...PARAMETERS,
      ...Object.fromEntries(
        tables.flatMap(({ table, columns }) => [
          [
            `body.${table.name}`,
            {
              name: table.name,
              in: 'body',
              required: false,
              schema: { $ref: `#/definitions/${table.name}` },
            },
          ],
          ...columns.map((column) => [
            `rowFilter.${table.name}.${column}`,
            { name: column, in: 'query', required: false, type: 'string' },
          ]),
        ]),
      ),
    },
  };
}

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

interface Privileges {
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
