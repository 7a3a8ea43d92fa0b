import { keyOf, type SchemaCache, type Table } from '../cache/model.ts';
import { mostSimilar } from '../cache/similar.ts';
import { RestError } from '../errors/rest-error.ts';

/** @throws RestError PGRST205 with the most similar name, if one is similar enough */
export function findTable(cache: SchemaCache, schema: string, name: string): Table {
  const found = cache.tables.get(keyOf(schema, name));
  if (found !== undefined) return found;
  throw noTable(cache, schema, name);
}

export function noTable(cache: SchemaCache, schema: string, name: string): RestError {
  const known = [...cache.tables.values()].flatMap((table) =>
    table.schema === schema && !table.isPartition ? [table.name] : [],
  );
  const like = mostSimilar(name, known);
  return new RestError(
    404,
    'PGRST205',
    `Could not find the table '${schema}.${name}' in the schema cache`,
    { hint: like === undefined ? null : `Perhaps you meant the table '${schema}.${like}'` },
  );
}
