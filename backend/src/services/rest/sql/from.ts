import type { ReadNode } from '../plan/model.ts';
import { logicSql } from './filter.ts';
import { ident, qualified, SOURCE, type Values } from './statement.ts';

export const qualifierOf = (node: ReadNode): string =>
  node.alias === undefined ? qualified(node.schema, node.tableName) : ident(node.alias);

/** Casts the result of a write or call, a record with computed fields added, to the row type that a function takes. */
function rowOf({ schema, tableName, table }: ReadNode, source: string): string {
  const type = qualified(schema, tableName);
  if (table === undefined) return `${source}::${type}`;
  const columns = [...table.columns.keys()].map((name) => `${source}.${ident(name)}`);
  return `row(${columns.join(', ')})::${type}`;
}

export interface From {
  from: string;
  /** Join conditions. */
  on: string[];
}

export function fromSql(node: ReadNode, parent: ReadNode | undefined): From {
  const own = qualifierOf(node);
  const relationship = node.join?.relationship;
  if (parent === undefined || relationship === undefined) {
    return { from: node.isFromSource ? `${SOURCE} as ${own}` : own, on: [] };
  }
  const outer = qualifierOf(parent);
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
  const qualifier = qualifierOf(node);
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
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
  return `select 1 from ${from}${where}`;
}
