import { keyOf, type MediaHandler, type SchemaCache } from '../cache/model.ts';
import { type Format, readAccept } from '../request/accept.ts';
import type { Query } from '../request/model.ts';
import type { RestRequest } from '../request/request.ts';
import type { RestSettings } from '../settings.ts';
import type { Plan } from './plan.ts';

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
