// Values are parameters without a type, so that PostgreSQL infers the column's type.

import { arrayLiteral } from '../../../database/array-literal.ts';
import type { PlannedField, PlannedLogic, ReadNode } from '../plan/model.ts';
import { type JsonStep, type Operation, QUANTIFIED, SEARCH, SIMPLE } from '../request/model.ts';
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

const TO_TSVECTOR = new Set(['text', 'character varying', 'json', 'jsonb']);

function search(
  column: string,
  field: PlannedField,
  operation: Extract<Operation, { kind: 'search' }>,
  values: Values,
): string {
  const { operator, language, value } = operation;
  const config = language === undefined ? '' : `${values.add(language)}::regconfig, `;
  const isText = field.path.length > 0 || TO_TSVECTOR.has(field.baseType ?? '');
  const vector = isText ? `to_tsvector(${config}${column})` : column;
  return `${vector} @@ ${SEARCH[operator]}(${config}${values.add(value)})`;
}

function comparison(
  column: string,
  field: PlannedField,
  operation: Operation,
  values: Values,
): string {
  const fromText = field.representation?.fromText;
  const value = (text: string): string =>
    fromText === undefined ? values.add(text) : `${fromText}(${values.add(text)}::text)`;
  switch (operation.kind) {
    case 'simple':
      return `${column} ${SIMPLE[operation.operator]} ${value(operation.value)}`;
    case 'quantified': {
      const { operator, quantifier } = operation;
      const isPattern = operator === 'like' || operator === 'ilike';
      const text = isPattern ? operation.value.replaceAll('*', '%') : operation.value;
      if (quantifier) return `${column} ${QUANTIFIED[operator]} ${quantifier}(${values.add(text)})`;
      const isPlain = isPattern || operator === 'match' || operator === 'imatch';
      return `${column} ${QUANTIFIED[operator]} ${isPlain ? values.add(text) : value(text)}`;
    }
    case 'in':
      if (fromText !== undefined && operation.values.length > 0)
        return `${column} = any(array[${operation.values.map(value).join(', ')}])`;
      return `${column} = any(${values.add(arrayLiteral(operation.values))})`;
    case 'is':
      return `${column} is ${operation.value}`;
    case 'distinct':
      return `${column} is distinct from ${value(operation.value)}`;
    case 'search':
      return search(column, field, operation, values);
  }
}

/** SQL that tests whether an embed has a row. */
export type EmbedTest = (embed: ReadNode, isNull: boolean) => string;

/** For a read, in which the embed is joined. */
export const joinedEmbedTest: EmbedTest = (embed, isNull) => {
  const alias = ident(embed.join?.alias ?? '');
  const result = embed.join?.isToOne ? alias : `${alias}.${alias}`;
  return `${result} is ${isNull ? 'not ' : ''}distinct from null`;
};

export function logicSql(
  qualifier: string,
  logic: PlannedLogic,
  values: Values,
  embedTest: EmbedTest = joinedEmbedTest,
): string {
  if (logic.kind === 'embed-is-null') return embedTest(logic.embed, !logic.negated);
  if (logic.kind === 'group') {
    const terms = logic.terms.map((term) => logicSql(qualifier, term, values, embedTest));
    return `${logic.negated ? 'not ' : ''}(${terms.join(` ${logic.operator} `)})`;
  }
  const { field, negated, operation } = logic;
  const column = fieldSql(qualifier, field, values);
  const text = comparison(column, field, operation, values);
  return negated ? `not ${text}` : text;
}
