// All SQL here is built from quoted identifiers and parameters; nothing else comes from a request.
import { arrayLiteral } from '../../../database/sql-text.ts';
import type { PlannedField, PlannedLogic, ReadNode } from '../plan/model.ts';
import { type JsonStep, type Operation, QUANTIFIED, SEARCH, SIMPLE } from '../request/model.ts';

/** Collects the parameters of a statement while its text is built. */
export class Values {
  readonly list: (string | null)[] = [];
  /** Index of the request body. */
  bodyAt: number | undefined;

  /** @returns the placeholder, for example `$3` */
  add(value: string | null): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }

  /** As `add`, for the request body: the value to replace when a cached statement is reused. */
  addBody(rows: string): string {
    this.bodyAt = this.list.length;
    return this.add(rows);
  }
}

export const ident = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const qualified = (schema: string, name: string): string =>
  `${ident(schema)}.${ident(name)}`;

export const whereSql = (conditions: string[]): string =>
  conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;

/** Common table expression with the result of a write or call. */
export const SOURCE = 'pgrst_source';

// Values are parameters without a type, so that PostgreSQL infers the column's type.

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
type EmbedTest = (embed: ReadNode, isNull: boolean) => string;

/** For a read, in which the embed is joined. */
const joinedEmbedTest: EmbedTest = (embed, isNull) => {
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

export const findQualifier = (node: ReadNode): string =>
  node.alias === undefined ? qualified(node.schema, node.tableName) : ident(node.alias);

/** Casts the result of a write or call, a record with computed fields added, to the row type that a function takes. */
function rowOf({ schema, tableName, table }: ReadNode, source: string): string {
  const type = qualified(schema, tableName);
  if (table === undefined) return `${source}::${type}`;
  const columns = [...table.columns.keys()].map((name) => `${source}.${ident(name)}`);
  return `row(${columns.join(', ')})::${type}`;
}

interface From {
  from: string;
  /** Join conditions. */
  on: string[];
}

export function fromSql(node: ReadNode, parent: ReadNode | undefined): From {
  const own = findQualifier(node);
  const relationship = node.join?.relationship;
  if (parent === undefined || relationship === undefined) {
    return { from: node.isFromSource ? `${SOURCE} as ${own}` : own, on: [] };
  }
  const outer = findQualifier(parent);
  if (relationship.kind === 'computed') {
    const row = parent.isFromSource ? rowOf(parent, outer) : `${outer}.*`;
    const call = `${qualified(relationship.functionSchema, relationship.functionName)}(${row})`;
    return { from: `${call} as ${own}`, on: [] };
  }
  const table = `${qualified(node.schema, node.tableName)} as ${own}`;
  const equal = (left: string, a: string, right: string, b: string): string =>
    `${left}.${ident(a)} = ${right}.${ident(b)}`;
  if (relationship.kind !== 'many-to-many') {
    return {
      from: table,
      on: relationship.columns.map(([theirs, mine]) => equal(own, mine, outer, theirs)),
    };
  }
  const { junction } = relationship;
  const link = ident(`${junction.table}_link_${node.depth}`);
  return {
    from: `${table} cross join ${qualified(junction.schema, junction.table)} as ${link}`,
    on: [
      ...junction.foreignColumns.map(([theirs, mine]) => equal(own, theirs, link, mine)),
      ...junction.columns.map(([theirs, mine]) => equal(link, mine, outer, theirs)),
    ],
  };
}

/** Selects the rows of a read without its limit and offset. Inner embeds become EXISTS. */
export function countSql(node: ReadNode, values: Values, parent?: ReadNode): string {
  const qualifier = findQualifier(node);
  const { from, on } = fromSql(node, parent);
  const exists = (embed: ReadNode): string => `exists (${countSql(embed, values, node)})`;
  const conditions = [
    ...on,
    ...node.where.map((logic) =>
      logicSql(
        qualifier,
        logic,
        values,
        (embed, isNull) => `${isNull ? 'not ' : ''}${exists(embed)}`,
      ),
    ),
    ...node.embeds.filter(({ join }) => join?.isInner).map(exists),
  ];
  return `select 1 from ${from}${whereSql(conditions)}`;
}
