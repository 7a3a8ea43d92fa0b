import { isSpreadToOne, type PlannedSelect, type ReadNode } from '../plan/model.ts';

/** @returns the item's column name in the result */
export function shownName({ alias, aggregate, field }: PlannedSelect): string {
  return alias ?? aggregate ?? field.name;
}

/**
 * The columns that spreading a node adds to its parent, without the aggregates of to-one spreads, which the parent
 * computes.
 * @returns undefined when they are unknown: `*` over a function's rows
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

/** An embed without columns only joins. */
export const isShown = (node: ReadNode): boolean =>
  node.select.length > 0 || node.embeds.some((embed) => isShown(embed));
