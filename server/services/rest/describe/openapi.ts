// The root's answer: an OpenAPI description of the tables and functions that the caller's role may use.
import { keyOf, type Routine, type SchemaCache, type Table } from '../cache/model.ts';
import { mediaType } from '../errors/catalogue.ts';
import { readAccepted } from '../request/accept.ts';
import { definition, type Json, typeOf } from './definitions.ts';
import type { Readable } from './readable.ts';

export const OPENAPI = 'application/openapi+json; charset=utf-8';
const ACCEPTED = ['application/openapi+json', 'application/json', 'application/*', '*/*'];

/** @throws RestError PGRST107 when the caller accepts no description */
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
  const base = { tags: [name], ...(table.description !== null && { summary: table.description }) };
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

function routinePath(routine: Routine): Json {
  const named = routine.parameters.filter(({ name }) => name !== '');
  const base = {
    tags: [`(rpc) ${routine.name}`],
    ...(routine.description !== null && { summary: routine.description }),
    responses: { 200: { description: 'OK' } },
  };
  const schema: Json = {
    type: 'object',
    required: named.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    properties: Object.fromEntries(
      named.map(({ name, type }) => [name, { ...typeOf(type), format: type }]),
    ),
  };
  const args: Json = { name: 'args', in: 'body', required: true, schema };
  const query = named.map(({ name, type, isRequired }): Json => {
    return { name, in: 'query', required: isRequired, ...typeOf(type), format: type };
  });
  return {
    ...(!routine.isVolatile && { get: { ...base, parameters: query } }),
    post: { ...base, parameters: [args, reference('prefer')] },
  };
}

/** @param address public one of the service, for example `https://example.org/rest/v1` */
export function openApi(cache: SchemaCache, schema: string, seen: Readable, address: URL): Json {
  const tables = seen.tables.flatMap(({ name, columns }) => {
    const table = cache.tables.get(keyOf(schema, name));
    return table === undefined ? [] : [{ table, columns }];
  });
  const routines = seen.functions.flatMap((name) =>
    (cache.routines.get(keyOf(schema, name)) ?? []).slice(0, 1),
  );
  return {
    swagger: '2.0',
    info: {
      title: seen.description?.split('\n')[0] ?? `${schema} schema`,
      description: seen.description ?? 'The tables and functions that you may use',
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
