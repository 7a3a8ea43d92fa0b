// The column names that a node shows, for spreading them into its parent.
import { isSpreadToOne, type PlannedSelect, type ReadNode } from '../plan/model.ts';

/** The name under which an item appears in the result. */
export function shownName({ alias, aggregate, field }: PlannedSelect): string {
  return alias ?? aggregate ?? field.name;
}

/**
 * Without the aggregates of to-one spreads: those are no columns of the node but of a parent.
 * @returns undefined when they are not known: a star over rows of no table
 */
export function spreadNames(node: ReadNode): string[] | undefined {
  const { table } = node;
  const select = isSpreadToOne(node)
    ? node.select.filter((item) => item.aggregate === undefined)
    : node.select;
  const isStar = (item: PlannedSelect): boolean => item.field.name === '*' && !item.aggregate;
  if (table === undefined && node.select.some(isStar)) return undefined;
  return [
    ...select.flatMap((item) =>
      isStar(item) ? [...(table?.columns.keys() ?? [])] : [shownName(item)],
    ),
    ...node.embeds.flatMap((embed) =>
      embed.join?.isSpread ? (spreadNames(embed) ?? []) : isShown(embed) ? [embed.name] : [],
    ),
  ];
}

/** Nothing of an embed without columns is shown; it only joins. */
export const isShown = (node: ReadNode): boolean =>
  node.select.length > 0 || node.embeds.some((embed) => isShown(embed));
