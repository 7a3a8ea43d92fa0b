// The OpenAPI description of the tables and functions that the caller's role may use (PostgREST docs, "OpenAPI").
import { escapeIdentifier } from 'pg';
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

const parameter = (
  name: string,
  description: string,
  place = 'query',
): { [name: string]: Json } => {
  return { name, in: place, type: 'string', required: false, description };
};
const RETURNS = ['return=representation', 'return=minimal', 'return=none'];
const preference = (values: string[]): { [name: string]: Json } => {
  return { ...parameter('Prefer', 'Preference', 'header'), enum: values };
};
const PARAMETERS: { [name: string]: Json } = {
  select: parameter('select', 'Filtering Columns'),
  order: parameter('order', 'Ordering'),
  limit: parameter('limit', 'Limiting and Pagination'),
  offset: parameter('offset', 'Limiting and Pagination'),
  range: parameter('Range', 'Limiting and Pagination', 'header'),
  rangeUnit: {
    ...parameter('Range-Unit', 'Limiting and Pagination', 'header'),
    default: 'items',
  },
  on_conflict: parameter('on_conflict', 'On Conflict'),
  preferParams: parameter('Prefer', 'Preference', 'header'),
  preferReturn: preference(RETURNS),
  preferCount: preference(['count=none']),
  preferPost: preference([
    ...RETURNS,
    'resolution=ignore-duplicates',
    'resolution=merge-duplicates',
  ]),
};

const bodyOf = (name: string): Json => {
  return {
    name,
    in: 'body',
    description: name,
    required: false,
    schema: { $ref: `#/definitions/${name}` },
  };
};

function filterOf({ columns }: Table, name: string): Json {
  const description = columns.get(name)?.description ?? undefined;
  return {
    name,
    in: 'query',
    required: false,
    type: 'string',
    ...(description && { description }),
  };
}

function tablePath(table: Table, columns: string[]): Json {
  const { name } = table;
  const filters = columns.map((column) => reference(`rowFilter.${name}.${column}`));
  const base = { tags: [name], ...headingOf(table.description) };
  const done = { description: 'OK' };
  const body = reference(`body.${name}`);
  const rows = { type: 'array', items: { $ref: `#/definitions/${name}` } };
  const read = ['select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'].map(
    reference,
  );
  const posted = ['select', 'preferPost'].map(reference);
  const prefer = reference('preferReturn');
  const operation = (parameters: Json[], responses: Json): Json => {
    return { ...base, parameters, responses };
  };
  const empty = { 204: { description: 'No Content' } };
  return {
    get: operation([...filters, ...read], {
      200: { ...done, schema: rows },
      206: { description: 'Partial Content' },
    }),
    ...(table.insertable && {
      post: operation([body, ...posted], { 201: { description: 'Created' } }),
    }),
    ...(table.updatable && { patch: operation([...filters, body, prefer], empty) }),
    ...(table.deletable && { delete: operation([...filters, prefer], empty) }),
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
    produces: [
      'application/json',
      'application/vnd.pgrst.object+json;nulls=stripped',
      'application/vnd.pgrst.object+json',
    ],
    responses: { 200: { description: 'OK' } },
  };
  const schema: Json = {
    type: 'object',
    ...(routine.description !== null && { description: routine.description }),
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
    post: { ...base, parameters: [args, reference('preferParams')] },
  };
}

const ROOT: Json = {
  get: {
    tags: ['Introspection'],
    summary: 'OpenAPI description (this document)',
    produces: ['application/openapi+json', 'application/json'],
    responses: { 200: { description: 'OK' } },
  },
};

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
      ['/', ROOT],
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
          [`body.${table.name}`, bodyOf(table.name)],
          ...columns.map((name) => [`rowFilter.${table.name}.${name}`, filterOf(table, name)]),
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
  const statement = { text: PRIVILEGES, values: [escapeIdentifier(schema)] };
  const { rows } = await database.callers.run(caller, statement, { readOnly: true });
  const [tables, functions, description] = rows[0] ?? [];
  return {
    tables: Tables.parse(JSON.parse(tables ?? '[]')),
    functions: Functions.parse(JSON.parse(functions ?? '[]')),
    description: description ?? null,
  };
}
