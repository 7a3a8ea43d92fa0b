// One request from plan to answer, planned anew when the schema changed a moment ago.
import { DatabaseError } from 'pg';
import type { Context } from '../../context.ts';
import type { Caller } from '../../database/callers.ts';
import type { LiveCache } from './cache/live-cache.ts';
import type { SchemaCache } from './cache/model.ts';
import { checkAccept, OPENAPI, openApi } from './describe/openapi.ts';
import { readable } from './describe/readable.ts';
import { unsupportedMethod } from './errors/catalogue.ts';
import { RestError } from './errors/rest-error.ts';
import { execute } from './execute.ts';
import { chooseAnswer } from './plan/choose-answer.ts';
import { planRequest } from './plan/plan.ts';
import type { PreparedRequests } from './prepared-requests.ts';
import type { RestRequest } from './request/request.ts';
import { allow } from './respond/allow.ts';
import { type Reply, respond } from './respond/respond.ts';
import { exposedSchemas, restSettings } from './settings.ts';
import { compose } from './sql/compose.ts';

/** Not found in the schema cache: table, column, relationship, function. */
const MISSED = new Set(['PGRST200', 'PGRST202', 'PGRST204', 'PGRST205']);

/** The same from PostgreSQL: table, column, function, or something dropped while it was used. */
const GONE = new Set(['42P01', '42703', '42883', 'XX000']);

function isMissing(error: unknown): boolean {
  if (error instanceof RestError) return MISSED.has(error.code);
  return error instanceof DatabaseError && error.code !== undefined && GONE.has(error.code);
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
    const answer = chooseAnswer(request, plan, known, settings);
    request.answer = answer;
    return { plan, answer, composed: compose(request, plan, settings) };
  });
  const { plan } = prepared;
  request.answer = prepared.answer;
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
  const seen = await readable(database, caller, request.schema);
  const address = new URL(`${siteUrl()}${request.prefix}`);
  const body = JSON.stringify(openApi(cache, request.schema, seen, address));
  const isOneOfSeveral = exposedSchemas(context).length > 1;
  const headers = {
    'content-type': OPENAPI,
    ...(isOneOfSeveral && { 'content-profile': request.schema }),
  };
  return { status: 200, headers, body };
}

/** A name that is missing may have been created or dropped a moment ago: asked once whether the cache was behind. */
export async function serve(
  service: Service,
  caller: Caller,
  request: RestRequest,
): Promise<Reply> {
  const known = service.cache.current;
  try {
    return await serveOnce(service, known, caller, request);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await service.cache.catchUp();
    if (service.cache.current === known) throw error;
    return serveOnce(service, service.cache.current, caller, request);
  }
}
