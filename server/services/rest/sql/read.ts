// Writes a tree of reads: one SELECT, each embed a lateral join (measured faster than subselects, PERFORMANCE.md), but where
// a sorted page can read its embeds after it was cut.
import type { PlannedLogic, PlannedOrder, PlannedSelect, ReadNode } from '../plan/model.ts';
import { isComputed } from '../plan/write-plan.ts';
import { fieldSql } from './field.ts';
import { logicSql } from './filter.ts';
import { fromSql, qualifierOf } from './from.ts';
import { isShown, spreadNames } from './spread.ts';
import { ident, type Values } from './statement.ts';

/** An embed that also hands out columns by which its parent is ordered gives its object under this name. */
const OBJECT = '"pgrst_object"';
const orderColumn = (parent: ReadNode, term: PlannedOrder): string =>
  ident(`pgrst_order_${parent.order.indexOf(term)}`);

const ordersParent = (embed: ReadNode, parent: ReadNode): PlannedOrder[] =>
  parent.order.filter((term) => term.embed === embed);

function selectSql(qualifier: string, item: PlannedSelect, values: Values): string {
  const { field, alias, cast, aggregate, aggregateCast } = item;
  let text = fieldSql(qualifier, field, values);
  if (aggregate === 'count' && field.name === '*') text = '*';
  if (cast !== undefined) text = `cast(${text} as ${cast})`;
  if (aggregate !== undefined) text = `${aggregate}(${text})`;
  if (aggregateCast !== undefined) text = `cast(${text} as ${aggregateCast})`;
  // A cast or an aggregate would otherwise be named by its type or function.
  const name = alias ?? aggregate ?? (cast === undefined ? undefined : field.name);
  return name === undefined ? text : `${text} as ${ident(name)}`;
}

const asksFor = (embed: ReadNode, logic: PlannedLogic): boolean =>
  logic.kind === 'group'
    ? logic.terms.some((term) => asksFor(embed, term))
    : logic.kind === 'embed-is-null' && logic.embed === embed;

/**
 * Whether an embed is a list that only the result shows, in a sorted page of a view. PostgreSQL reads a subselect for the
 * rows of the page, and a join for all that it sorts to find them. A table is mostly read in the order of an index.
 */
function canComeLast(embed: ReadNode, parent: ReadNode, isGrouped: boolean): boolean {
  const { join } = embed;
  if (join === undefined || join.isToOne || join.isInner || join.isSpread) return false;
  if (parent.table?.isView !== true || parent.limit === undefined || isGrouped) return false;
  if (parent.order.length === 0) return false;
  return isShown(embed) && !parent.where.some((logic) => asksFor(embed, logic));
}

const lateColumn = (embed: ReadNode, parent: ReadNode, values: Values): string => {
  const alias = ident(embed.join?.alias ?? '');
  const rows = `select json_agg(${alias}) from (${readSql(embed, values, parent)}) as ${alias}`;
  return `coalesce((${rows}), '[]') as ${ident(embed.name)}`;
};

/** What an embed adds to its parent's columns. @param mustCompare grouped by, so it needs an equality that json lacks */
function embedColumns(embed: ReadNode, parent: ReadNode, mustCompare: boolean): string[] {
  const { join } = embed;
  if (join === undefined || !isShown(embed)) return [];
  const alias = ident(join.alias);
  const cast = mustCompare ? '::jsonb' : '';
  if (join.isSpread) {
    const names = spreadNames(embed);
    if (names === undefined) return [`${alias}.*`];
    return names.map((name) =>
      join.isToOne
        ? `${alias}.${ident(name)}`
        : `coalesce(${alias}.${ident(name)}, '[]')${cast} as ${ident(name)}`,
    );
  }
  const object =
    ordersParent(embed, parent).length > 0 ? `${alias}.${OBJECT}` : `row_to_json(${alias}.*)`;
  const value = join.isToOne ? object : `coalesce(${alias}.${alias}, '[]')`;
  return [`${value}${cast} as ${ident(embed.name)}`];
}

function joinSql(embed: ReadNode, parent: ReadNode, values: Values): string {
  const { join } = embed;
  if (join === undefined) return '';
  const alias = ident(join.alias);
  const kind = join.isInner ? 'inner' : 'left';
  const inside = readSql(embed, values, parent);
  if (join.isToOne) return ` ${kind} join lateral (${inside}) as ${alias} on true`;
  const spread = join.isSpread ? (spreadNames(embed) ?? []) : [];
  const columns = [
    `json_agg(${alias}) as ${alias}`,
    ...spread.map((name) => `json_agg(${alias}.${ident(name)}) as ${ident(name)}`),
  ];
  const condition = join.isInner ? `${alias}.${alias} is not null` : 'true';
  return ` ${kind} join lateral (select ${columns.join(', ')} from (${inside}) as ${alias}) as ${alias} on ${condition}`;
}

function orderSql(node: ReadNode, term: PlannedOrder, values: Values): string {
  const column = term.embed
    ? `${ident(term.embed.join?.alias ?? '')}.${orderColumn(node, term)}`
    : fieldSql(qualifierOf(node), term.field, values);
  const direction = term.direction ? ` ${term.direction}` : '';
  return `${column}${direction}${term.nulls ? ` nulls ${term.nulls}` : ''}`;
}

function groupSql(node: ReadNode, columns: number): string {
  if (!node.select.some((item) => item.aggregate)) return '';
  const positions = Array.from({ length: columns }, (_, index) => index + 1).filter(
    (position) => node.select[position - 1]?.aggregate === undefined,
  );
  return positions.length === 0 ? '' : ` group by ${positions.join(', ')}`;
}

function windowSql({ limit, offset }: ReadNode, values: Values): string {
  // The limit is part of the text, so that the planner knows it; the offset differs by page and is a parameter.
  const most = limit === undefined ? '' : ` limit ${limit}`;
  return offset === 0n ? most : `${most} offset ${values.add(String(offset))}`;
}

/** Of a write's or a call's result the star shows computed columns too: once is enough. */
function isShownByStar(node: ReadNode, { field, alias, cast }: PlannedSelect): boolean {
  return (
    node.isFromSource &&
    alias === undefined &&
    cast === undefined &&
    isComputed(node, field.name) &&
    node.select.some((item) => item.field.name === '*')
  );
}

/** @returns the SELECT of a node with everything below it */
export function readSql(node: ReadNode, values: Values, parent?: ReadNode): string {
  const qualifier = qualifierOf(node);
  const isGrouped = node.select.some((item) => item.aggregate);
  const own = node.select
    .filter((item) => !isShownByStar(node, item))
    .map((item) => selectSql(qualifier, item, values));
  const isLate = (embed: ReadNode): boolean => canComeLast(embed, node, isGrouped);
  const embedded = node.embeds.flatMap((embed) =>
    isLate(embed) ? lateColumn(embed, node, values) : embedColumns(embed, node, isGrouped),
  );
  let columns = [...own, ...embedded];
  const group = groupSql(node, columns.length);
  const orders = parent === undefined ? [] : ordersParent(node, parent);
  if (parent !== undefined && orders.length > 0) {
    const hidden = orders.map(
      (term) => `${fieldSql(qualifier, term.field, values)} as ${orderColumn(parent, term)}`,
    );
    const object = `(select row_to_json(_o) from (select ${columns.join(', ')}) as _o) as ${OBJECT}`;
    columns = [...(node.join?.isSpread ? columns : [object]), ...hidden];
  }
  const { from, on } = fromSql(node, parent);
  const joins = node.embeds
    .map((embed) => (isLate(embed) ? '' : joinSql(embed, node, values)))
    .join('');
  const conditions = [...on, ...node.where.map((logic) => logicSql(qualifier, logic, values))];
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
  const order = node.order.map((term) => orderSql(node, term, values));
  const ordered = order.length === 0 ? '' : ` order by ${order.join(', ')}`;
  return `select ${columns.join(', ')} from ${from}${joins}${where}${group}${ordered}${windowSql(node, values)}`;
}
