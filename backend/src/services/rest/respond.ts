import { z } from 'zod';
import { keyOf, type SchemaCache } from './cache/model.ts';
import {
  invalidPath,
  invalidRange,
  notSingle,
  responseHeaders,
  responseStatus,
} from './errors/catalogue.ts';
import type { Result } from './execute.ts';
import { planCall } from './plan/call-plan.ts';
import { findTable } from './plan/lookup.ts';
import type { Plan } from './plan/plan.ts';
import type { Preferences, RestRequest } from './request/request.ts';

function contentRange(offset: bigint, rows: bigint, total: bigint | undefined): string {
  const of = total === undefined ? '*' : String(total);
  if (rows === 0n || total === 0n) return `*/${of}`;
  return `${offset}-${offset + rows - 1n}/${of}`;
}

/** @throws RestError PGRST103 when the window starts beyond the last row */
function rangeStatus(offset: bigint, rows: bigint, total: bigint | undefined): number {
  if (total === undefined) return 200;
  if (offset > total) {
    throw invalidRange(
      `An offset of ${offset} was requested, but there are only ${total} rows.`,
      total,
    );
  }
  return rows < total ? 206 : 200;
}

export interface Reply {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Buffer | undefined;
}

/** Preference-Applied, in PostgREST's order. */
function applied(request: RestRequest, plan: Plan, allowsRollback: boolean): string | undefined {
  const { preferences, method } = request;
  const write = plan.kind === 'write' ? plan.write : undefined;
  const isInsert = write?.kind === 'insert';
  let header = '';
  const add = (name: string, value: string | number | undefined): void => {
    if (value !== undefined) header += `${header === '' ? '' : ', '}${name}=${value}`;
  };
  if (isInsert && method === 'POST' && write.conflict) add('resolution', preferences.resolution);
  if (write !== undefined && write.kind !== 'delete' && method !== 'PUT') {
    add('missing', preferences.missing);
  }
  if (write !== undefined) add('return', preferences.return);
  if (!isInsert || preferences.count === 'exact') add('count', preferences.count);
  if (allowsRollback) add('tx', preferences.tx);
  add('handling', preferences.handling);
  add('timezone', preferences.timezone);
  if (preferences.handling === 'strict' && plan.kind !== 'read' && !isInsert) {
    add('max-affected', preferences.maxAffected);
  }
  return header === '' ? undefined : header;
}

/** The exact count if known; else the planner's estimate, if it is larger than what was counted. */
function totalOf(
  result: Result,
  preferences: Preferences,
  maxRows: bigint | undefined,
): bigint | undefined {
  const counted = result.total === null ? undefined : BigInt(result.total);
  const { estimate } = result;
  if (preferences.count === 'exact' || estimate === undefined) return counted;
  if (counted === undefined) return estimate;
  if (maxRows === undefined || counted <= maxRows) return counted;
  return estimate > counted ? estimate : counted;
}

function bodyOf({ format }: RestRequest, { bytes, body }: Result): string | Buffer {
  if (!format.handler?.isBytes) return bytes ?? body ?? '';
  // bytea is hexadecimal after `\x`.
  const text = bytes === undefined ? (body ?? '') : bytes.toString('latin1');
  return Buffer.from(text.slice(2), 'hex');
}

function read(
  request: RestRequest,
  plan: Extract<Plan, { kind: 'read' | 'call' }>,
  result: Result,
  maxRows: bigint | undefined,
): Reply {
  const rows = BigInt(result.rows ?? '0');
  const { offset } = plan.window;
  const total = totalOf(result, request.preferences, maxRows);
  const status = rangeStatus(offset, rows, total);
  if (plan.kind === 'read' && request.format.kind === 'object' && rows !== 1n) {
    throw notSingle(String(rows));
  }
  return {
    status,
    headers: {
      'content-type': request.format.contentType,
      'content-range': contentRange(offset, rows, total),
      ...(plan.kind === 'read' && contentLocation(request.path, plan.query.canonical)),
    },
    body: bodyOf(request, result),
  };
}

/** Length of a header that every client and proxy accepts. */
const MAX_LOCATION_LENGTH = 4096;

function contentLocation(path: string, canonical: string): Record<string, string> {
  const location = canonical === '' ? path : `${path}?${canonical}`;
  return location.length > MAX_LOCATION_LENGTH ? {} : { 'content-location': location };
}

function call(
  request: RestRequest,
  plan: Extract<Plan, { kind: 'call' }>,
  result: Result,
  maxRows: bigint | undefined,
): Reply {
  const reply = read(request, plan, result, maxRows);
  if (plan.call.routine.returns !== 'void') return reply;
  return {
    status: 204,
    headers: { 'content-range': reply.headers['content-range'] ?? '*/*' },
    body: undefined,
  };
}

function createdAt(path: string, location: string | null): Record<string, string> {
  if (location === null) return {};
  const pairs: [string, string | null][] = JSON.parse(location);
  const query = pairs.map(([name, value]) =>
    value === null
      ? `${encodeURIComponent(name)}=is.null`
      : `${encodeURIComponent(name)}=eq.${encodeURIComponent(value)}`,
  );
  return { location: `${path}?${query.join('&')}` };
}

function write(
  request: RestRequest,
  plan: Extract<Plan, { kind: 'write' }>,
  result: Result,
): Reply {
  const { preferences, method } = request;
  const rows = BigInt(result.rows ?? '0');
  const total = preferences.count === 'exact' ? rows : undefined;
  const shows = preferences.return === 'representation';
  const body = shows ? bodyOf(request, result) : undefined;
  const type: Record<string, string> = shows ? { 'content-type': request.format.contentType } : {};
  if (method === 'POST') {
    const isUpsert =
      plan.write.kind === 'insert' && plan.write.conflict?.resolution === 'merge-duplicates';
    const hasInserted = result.inserted !== null && result.inserted !== '0';
    const status = isUpsert && !hasInserted ? 200 : 201;
    return {
      status,
      headers: {
        ...type,
        ...createdAt(request.path, result.location),
        'content-range': contentRange(1n, 0n, total),
      },
      body: body ?? '',
    };
  }
  if (method === 'PUT') {
    const isInserted = result.inserted !== null && result.inserted !== '0';
    const status = isInserted ? 201 : shows ? 200 : 204;
    return { status, headers: type, body: status === 204 ? undefined : (body ?? '') };
  }
  const range = method === 'PATCH' ? contentRange(0n, rows, total) : contentRange(1n, 0n, total);
  return { status: shows ? 200 : 204, headers: { ...type, 'content-range': range }, body };
}

export function respond(
  request: RestRequest,
  plan: Plan,
  result: Result,
  options: { schemas: readonly string[]; maxRows: bigint | undefined; allowsRollback: boolean },
): Reply {
  if (request.format.plan !== undefined) {
    const type = { 'content-type': request.format.contentType };
    return { status: 200, headers: type, body: result.body ?? '' };
  }
  const reply =
    plan.kind === 'read'
      ? read(request, plan, result, options.maxRows)
      : plan.kind === 'call'
        ? call(request, plan, result, options.maxRows)
        : write(request, plan, result);
  const preference = applied(request, plan, options.allowsRollback);
  if (preference !== undefined) reply.headers['preference-applied'] = preference;
  if (options.schemas.length > 1) reply.headers['content-profile'] = request.schema;
  Object.assign(reply.headers, headersOf(result.headers));
  reply.status = statusOf(result.status) ?? reply.status;
  return reply;
}

// `response.headers` and `response.status`, which a function may set (PostgREST docs, "Transaction-Scoped Settings").

const Headers = z.array(
  z
    .record(z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/), z.string().regex(/^[^\r\n\0]*$/))
    .refine((one) => Object.keys(one).length === 1),
);

/** Functions can't set these: a wrong length would break the connection. */
const TRANSPORT = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'content-encoding',
]);

/**
 * @returns headers by lower-case name
 * @throws RestError PGRST111
 */
function headersOf(text: string | null): Record<string, string | string[]> {
  if (text === null) return {};
  const parsed = Headers.safeParse(parseJson(text));
  if (!parsed.success) throw responseHeaders();
  const headers: Record<string, string | string[]> = {};
  const cookies: string[] = [];
  for (const [given, value] of parsed.data.flatMap((one) => Object.entries(one))) {
    const name = given.toLowerCase();
    if (name === 'set-cookie') cookies.push(value);
    else if (!TRANSPORT.has(name)) headers[name] = value;
  }
  return cookies.length === 0 ? headers : { ...headers, 'set-cookie': cookies };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw responseHeaders();
  }
}

/** @throws RestError PGRST112 */
function statusOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!/^[2-5]\d\d$/.test(text)) throw responseStatus();
  return Number(text);
}

function ofTable(cache: SchemaCache, schema: string, name: string): string[] {
  const table = findTable(cache, schema, name);
  return [
    'OPTIONS,GET,HEAD',
    ...(table.insertable ? ['POST'] : []),
    ...(table.insertable && table.updatable && table.primaryKey.length > 0 ? ['PUT'] : []),
    ...(table.updatable ? ['PATCH'] : []),
    ...(table.deletable ? ['DELETE'] : []),
  ];
}

function ofRoutine(cache: SchemaCache, schema: string, name: string): string[] {
  const overloads = cache.routines.get(keyOf(schema, name));
  // Throws the error of a call to an unknown function.
  if (overloads === undefined) planCall(cache, schema, name, { kind: 'get', pairs: [] });
  const isVolatile = overloads?.every((one) => one.isVolatile) ?? true;
  return isVolatile ? ['OPTIONS,POST'] : ['OPTIONS,GET,HEAD,POST'];
}

/** The response to OPTIONS. @throws RestError when there is no such table or function */
export function allow({ target, schema }: RestRequest, cache: SchemaCache): Reply {
  if (target.kind === 'root') {
    return { status: 200, headers: { allow: 'OPTIONS,GET,HEAD' }, body: undefined };
  }
  if (target.name === '') throw invalidPath();
  const of = target.kind === 'table' ? ofTable : ofRoutine;
  const methods = of(cache, schema, target.name).join(',');
  return { status: 200, headers: { allow: methods }, body: undefined };
}
