import { DatabaseError } from 'pg';
import type { Context } from '../../context.ts';
import type { Caller } from '../../database/callers.ts';
import type { LiveCache } from './cache/live-cache.ts';
import type { SchemaCache } from './cache/model.ts';
import { checkAccept, OPENAPI, openApi } from './describe/openapi.ts';
import { readPrivileges } from './describe/privileges.ts';
import { RestError, unsupportedMethod } from './errors/catalogue.ts';
import { execute } from './execute.ts';
import { chooseFormat, planRequest } from './plan/plan.ts';
import type { PreparedRequests } from './prepared-requests.ts';
import type { RestRequest } from './request/request.ts';
import { allow } from './respond/allow.ts';
import { type Reply, respond } from './respond/respond.ts';
import { exposedSchemas, restSettings } from './settings.ts';
import { compose } from './sql/compose.ts';

/** Relationship, function, column or table not in the schema cache. */
const NOT_IN_CACHE = new Set(['PGRST200', 'PGRST202', 'PGRST204', 'PGRST205']);

/** Table, column or function not in the database, or dropped concurrently. */
const NOT_IN_DATABASE = new Set(['42P01', '42703', '42883', 'XX000']);

function mayHaveStaleCache(error: unknown): boolean {
  if (error instanceof RestError) return NOT_IN_CACHE.has(error.code);
  return error instanceof DatabaseError && NOT_IN_DATABASE.has(error.code ?? '');
}

export interface Service {
  context: Context;
  cache: LiveCache;
  requests: PreparedRequests;
}

async function serveOnce(
  { context, requests }: Service,
  known: SchemaCache,
  caller: Caller,
  request: RestRequest,
): Promise<Reply> {
  if (request.method === 'OPTIONS') return allow(request, known);
  if (request.target.kind === 'root') return describeRoot(context, known, caller, request);
  const settings = restSettings(context, known);
  const prepared = requests.take(known, settings.limits, request, () => {
    const plan = planRequest(request, known, settings);
    const format = chooseFormat(request, plan, known, settings);
    request.format = format;
    return { plan, format, composed: compose(request, plan, settings) };
  });
  const { plan } = prepared;
  request.format = prepared.format;
  const { tx } = request.preferences;
  const rollsBack =
    settings.allowsRollback && tx !== undefined ? tx === 'rollback' : settings.rollsBack;
  const result = await execute(context.database, caller, request, prepared, {
    cache: known,
    settings,
    rollsBack: rollsBack && !plan.isReadOnly,
  });
  return respond(request, plan, result, settings);
}

async function describeRoot(
  context: Context,
  cache: SchemaCache,
  caller: Caller,
  request: RestRequest,
): Promise<Reply> {
  const { database, siteUrl } = context;
  if (!request.isRead) throw unsupportedMethod(request.method);
  checkAccept(request.accept);
  const privileges = await readPrivileges(database, caller, request.schema);
  const address = new URL(`${siteUrl()}${request.prefix}`);
  const body = JSON.stringify(openApi(cache, request.schema, privileges, address));
  const isOneOfSeveral = exposedSchemas(context).length > 1;
  const headers = {
    'content-type': OPENAPI,
    ...(isOneOfSeveral && { 'content-profile': request.schema }),
  };
  return { status: 200, headers, body };
}

/** Plans and runs a request; once more when a name is missing because the schema has just changed. */
export async function serve(
  service: Service,
  caller: Caller,
  request: RestRequest,
): Promise<Reply> {
  const known = service.cache.current;
  try {
    return await serveOnce(service, known, caller, request);
  } catch (error) {
    if (!mayHaveStaleCache(error)) throw error;
    await service.cache.catchUp();
    if (service.cache.current === known) throw error;
    return serveOnce(service, service.cache.current, caller, request);
  }
}
