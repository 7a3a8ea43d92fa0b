import type { PlannedField } from '../plan/model.ts';
import type { JsonStep } from '../request/model.ts';
import { ident, type Values } from './statement.ts';

function step({ kind, name, asText }: JsonStep, values: Values): string {
  const arrow = asText ? '->>' : '->';
  return kind === 'index' ? `${arrow}'${name}'::int` : `${arrow}${values.add(name)}::text`;
}

/** @param qualifier the table or alias, quoted */
export function fieldSql(
  qualifier: string,
  { name, path, baseType }: PlannedField,
  values: Values,
): string {
  if (name === '*' && path.length === 0) return `${qualifier}.*`;
  const column = `${qualifier}.${ident(name)}`;
  if (path.length === 0) return column;
  // Converting a JSON column would prevent the use of its indexes.
  const isJson = baseType === 'json' || baseType === 'jsonb';
  return `${isJson ? column : `to_jsonb(${column})`}${path.map((one) => step(one, values)).join('')}`;
}
