import { keyOf, type MediaHandler, type SchemaCache } from '../cache/model.ts';
import * as refusals from '../errors/catalogue.ts';
import { type Format, readAccept } from '../request/accept.ts';
import type { Limits, Query } from '../request/model.ts';
import { readPayload } from '../request/payload.ts';
import { readQuery, readWindow, type Window } from '../request/query.ts';
import type { RestRequest } from '../request/request.ts';
import type { RestSettings } from '../settings.ts';
import { type Given, planCall } from './call-plan.ts';
import { findTable } from './lookup.ts';
import type { CallPlan, ReadNode, WritePlan } from './model.ts';
import { planRead } from './read-plan.ts';
import { type JsonPayload, planDelete, planInsert, planPut, planUpdate } from './write-plan.ts';

export type Plan = { node: ReadNode; query: Query; isReadOnly: boolean } & (
  | { kind: 'read'; window: Window }
  | { kind: 'write'; write: WritePlan }
  | { kind: 'call'; call: CallPlan; window: Window }
);

/** The body of an insert or an update. @throws RestError PGRST102 */
export function jsonPayload(
  request: RestRequest,
  query: Query,
  { jsonDepth }: Limits,
): JsonPayload {
  const payload = readPayload(request.contentType, request.body, {
    needsKeys: query.columns === undefined,
    isCall: false,
    jsonDepth,
  });
  if (payload.kind !== 'json') throw refusals.invalidBody('Empty or invalid json');
  return payload;
}

function planTable(
  request: RestRequest,
  name: string,
  cache: SchemaCache,
  settings: RestSettings,
): Plan {
  const { schema, method, preferences } = request;
  const table = findTable(cache, schema, name);
  const query = readQuery(request.search, settings.limits);
  if (request.isRead) {
    const window = readWindow(query, request.range);
    const root = { schema, table, name, isFromSource: false };
    const node = planRead(cache, root, query, settings, window);
    return { kind: 'read', node, query, window, isReadOnly: true };
  }
  const root = { schema, table, name, isFromSource: true };
  const node = planRead(cache, root, query, settings, undefined);
  const source = { table, node, query, preferences };
  const base = { kind: 'write' as const, node, query, isReadOnly: false };
  if (method === 'DELETE') return { ...base, write: planDelete(source) };
  const payload = jsonPayload(request, query, settings.limits);
  const make = method === 'PATCH' ? planUpdate : method === 'PUT' ? planPut : planInsert;
  return { ...base, write: make(source, payload) };
}

function planRoutine(
  request: RestRequest,
  name: string,
  cache: SchemaCache,
  settings: RestSettings,
): Plan {
  const { method, schema, preferences } = request;
  if (method !== 'POST' && !request.isRead) throw refusals.rpcMethod(method);
  const overloads = cache.routines.get(keyOf(schema, name)) ?? [];
  const parameters = new Set(overloads.flatMap((one) => one.parameters.map((p) => p.name)));
  const query = readQuery(
    request.search,
    settings.limits,
    request.isRead ? (key) => parameters.has(key) : undefined,
  );
  const { jsonDepth } = settings.limits;
  const options = { needsKeys: false, isCall: true, jsonDepth };
  const given: Given = request.isRead
    ? { kind: 'get', pairs: query.params }
    : {
        kind: 'post',
        payload: readPayload(request.contentType, request.body, options),
        columns: query.columns,
      };
  const call = planCall(cache, schema, name, given);
  const { routine } = call;
  const isLimited = preferences.maxAffected !== undefined && preferences.handling === 'strict';
  if (isLimited && !routine.returnsSet) throw refusals.maxAffectedFunction();
  const table = routine.table && cache.tables.get(keyOf(routine.table.schema, routine.table.name));
  const window = readWindow(query, request.range);
  const root = { schema, table: table ?? undefined, name: table?.name ?? name, isFromSource: true };
  const node = planRead(cache, root, query, settings, window);
  const isReadOnly = request.isRead || !routine.isVolatile;
  return { kind: 'call', node, query, call, window, isReadOnly };
}

/** @throws RestError */
export function planRequest(
  request: RestRequest,
  cache: SchemaCache,
  settings: RestSettings,
): Plan {
  const { target } = request;
  if (target.kind === 'root') throw refusals.invalidPath();
  return target.kind === 'table'
    ? planTable(request, target.name, cache, settings)
    : planRoutine(request, target.name, cache, settings);
}

/** Handlers of a table or function take whole rows. */
function selectsAll({ select }: Query): boolean {
  const [item, ...more] = select;
  return more.length === 0 && item?.kind === 'field' && item.field.name === '*' && !item.aggregate;
}

/** A function that returns rows of a table has the table's handlers. */
function handlerKeyOf(plan: Plan): string {
  if (plan.kind === 'call') {
    const { table, schema, name } = plan.call.routine;
    return keyOf(table?.schema ?? schema, table?.name ?? name);
  }
  return keyOf(plan.node.schema, plan.node.tableName);
}

/**
 * Chooses a built-in format or a media type handler of the database (PostgREST docs, "Resource Representation").
 * @throws RestError PGRST107 when none is acceptable
 */
export function chooseFormat(
  request: RestRequest,
  plan: Plan,
  cache: SchemaCache,
  { allowsPlans }: RestSettings,
): Format {
  const own = selectsAll(plan.query) ? cache.handlers.get(handlerKeyOf(plan)) : undefined;
  const isScalar = plan.kind === 'call' && plan.call.routine.returns === 'scalar';
  // A table and a function may share a name.
  const ownOf = (type: string): MediaHandler | undefined => {
    const handler = own?.get(type);
    return handler === undefined || (handler.aggregate === undefined) !== isScalar
      ? undefined
      : handler;
  };
  const handlerOf = (type: string): MediaHandler | undefined =>
    ownOf('*/*') ?? ownOf(type) ?? cache.anyRowHandlers.get(type);
  return readAccept(request.accept, allowsPlans, handlerOf);
}
