// Chooses the kind of body among those that the caller accepts: PostgREST's own, or a media type handler of the database.
import { keyOf, type MediaHandler, type SchemaCache } from '../cache/model.ts';
import { type Answer, readAccept } from '../request/accept.ts';
import type { Query } from '../request/model.ts';
import type { RestRequest } from '../request/request.ts';
import type { RestSettings } from '../settings.ts';
import type { Plan } from './plan.ts';

/** The handlers of a table or function take its whole rows. */
function selectsAll({ select }: Query): boolean {
  const [item, ...more] = select;
  return more.length === 0 && item?.kind === 'field' && item.field.name === '*' && !item.aggregate;
}

/** Where the handlers of a plan's result are kept: a function that returns rows of a table has those of the table. */
function targetOf(plan: Plan): string {
  if (plan.kind === 'call') {
    const { table, schema, name } = plan.call.routine;
    return keyOf(table?.schema ?? schema, table?.name ?? name);
  }
  return keyOf(plan.node.schema, plan.node.tableName);
}

/** @throws RestError PGRST107 when nothing that the caller accepts can be made */
export function chooseAnswer(
  request: RestRequest,
  plan: Plan,
  cache: SchemaCache,
  { allowsPlans }: RestSettings,
): Answer {
  const own = selectsAll(plan.query) ? cache.handlers.get(targetOf(plan)) : undefined;
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
