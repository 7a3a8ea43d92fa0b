import type { ReadNode } from '../plan/model.ts';
import { logicSql } from './filter.ts';
import { fromSql, qualifierOf } from './from.ts';
import type { Values } from './statement.ts';

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
