import { keyOf, type SchemaCache } from '../cache/model.ts';
import { invalidPath } from '../errors/catalogue.ts';
import { planCall } from '../plan/call-plan.ts';
import { findTable } from '../plan/lookup.ts';
import type { RestRequest } from '../request/request.ts';
import type { Reply } from './respond.ts';

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
