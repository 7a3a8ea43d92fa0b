// SQL of a read: one SELECT with a lateral join per embed, which measured faster than subselects, except where a sorted
// page can read its embeds after the limit (`canComeLast`).
import {
  hoistedAggregates,
  isGrouped,
  isShown,
  isSpreadToOne,
  type PlannedLogic,
  type PlannedOrder,
  type PlannedSelect,
  type ReadNode,
  shownName,
  spreadNames,
} from '../plan/model.ts';
import { isComputed } from '../plan/write-plan.ts';
import {
  fieldSql,
  findQualifier,
  fromSql,
  ident,
  logicSql,
  type Values,
  whereSql,
} from './from.ts';

/** Column of the object of an embed that also provides columns to order its parent by. */
const OBJECT = '"pgrst_object"';
const orderColumn = (parent: ReadNode, term: PlannedOrder): string =>
  ident(`pgrst_order_${parent.order.indexOf(term)}`);

/** Grouped rows can only be ordered by what they are grouped by. @returns its name in a spread embed */
function groupedName(term: PlannedOrder, parent: ReadNode): string | undefined {
  const { embed, field } = term;
  if (embed === undefined || !isSpreadToOne(embed) || !isGrouped(parent)) return undefined;
  if (field.path.length > 0 || field.representation?.toJson) return undefined;
  const isStar = embed.select.some((item) => item.field.name === '*' && !item.aggregate);
  if (isStar && embed.table?.columns.has(field.name)) return field.name;
  const item = embed.select.find(
    ({ field: { name, path }, cast, aggregate }) =>
      name === field.name && path.length === 0 && cast === undefined && aggregate === undefined,
  );
  return item && shownName(item);
}

const ordersParent = (embed: ReadNode, parent: ReadNode): PlannedOrder[] =>
  parent.order.filter((term) => term.embed === embed && groupedName(term, parent) === undefined);

function inputSql(qualifier: string, item: PlannedSelect, values: Values): string {
  const { field, cast, aggregate } = item;
  const toJson = aggregate === undefined ? field.representation?.toJson : undefined;
  const column = fieldSql(qualifier, field, values);
  const text = toJson === undefined ? column : `${toJson}(${column})`;
  return cast === undefined ? text : `cast(${text} as ${cast})`;
}

function aggregateSql({ aggregate, aggregateCast }: PlannedSelect, input: string): string {
  const text = `${aggregate}(${input})`;
  return aggregateCast === undefined ? text : `cast(${text} as ${aggregateCast})`;
}

const countsRows = ({ field, aggregate }: PlannedSelect): boolean =>
  aggregate === 'count' && field.name === '*';

function selectSql(qualifier: string, item: PlannedSelect, values: Values): string {
  const { field, alias, cast, aggregate } = item;
  if (aggregate !== undefined) {
    const input = countsRows(item) ? '*' : inputSql(qualifier, item, values);
    return `${aggregateSql(item, input)} as ${ident(shownName(item))}`;
  }
  const text = inputSql(qualifier, item, values);
  // Otherwise the cast or the function would determine the name.
  const isNamed = cast === undefined && field.representation?.toJson === undefined;
  const name = alias ?? (isNamed ? undefined : field.name);
  return name === undefined ? text : `${text} as ${ident(name)}`;
}

interface Column {
  sql: string;
  isAggregate: boolean;
}

const plain = (sql: string): Column => ({ sql, isAggregate: false });

/** Columns of the node's own table. A spread to-one embed leaves its aggregates to its parent. */
function ownColumns(node: ReadNode, qualifier: string, values: Values): Column[] {
  return node.select.flatMap((item, index) => {
    if (isShownByStar(node, item)) return [];
    if (item.aggregate === undefined || !isSpreadToOne(node)) {
      return [
        { sql: selectSql(qualifier, item, values), isAggregate: item.aggregate !== undefined },
      ];
    }
    // 1 for a joined row, null for a missing one.
    const input = countsRows(item) ? '1' : inputSql(qualifier, item, values);
    return [plain(`${input} as pgrst_aggregate_${index}`)];
  });
}

/** Aggregates that a spread embed leaves to its parent, which may be spread itself and pass them on. */
function hoistedColumns(embed: ReadNode, index: number, parent: ReadNode): Column[] {
  const alias = ident(embed.join?.alias ?? '');
  return hoistedAggregates(embed).map(({ column, item }) =>
    isSpreadToOne(parent)
      ? plain(`${alias}.${column} as ${column}_${index}`)
      : {
          sql: `${aggregateSql(item, `${alias}.${column}`)} as ${ident(shownName(item))}`,
          isAggregate: true,
        },
  );
}

const asksFor = (embed: ReadNode, logic: PlannedLogic): boolean =>
  logic.kind === 'group'
    ? logic.terms.some((term) => asksFor(embed, term))
    : logic.kind === 'embed-is-null' && logic.embed === embed;

/**
 * Whether an embed is a list that is used only in the output, in a sorted page of a view, or of a table by columns of
 * another. PostgreSQL evaluates a subselect for the rows of the page only, but a join for all rows that it sorts. (Other
 * tables are mostly read in index order.)
 */
function canComeLast(embed: ReadNode, parent: ReadNode): boolean {
  const { join } = embed;
  if (join === undefined || join.isToOne || join.isInner || join.isSpread) return false;
  if (parent.limit === undefined || parent.order.length === 0 || isGrouped(parent)) return false;
  const isSorted = parent.order.some((term) => term.embed !== undefined);
  if (parent.table?.isView !== true && !isSorted) return false;
  return isShown(embed) && !parent.where.some((logic) => asksFor(embed, logic));
}

const lateColumn = (embed: ReadNode, parent: ReadNode, values: Values): string => {
  const alias = ident(embed.join?.alias ?? '');
  const rows = `select json_agg(${alias}) from (${readSql(embed, values, parent)}) as ${alias}`;
  return `coalesce((${rows}), '[]') as ${ident(embed.name)}`;
};

/**
 * Columns that an embed adds to its parent.
 * @param mustCompare whether they are grouped by, which json does not support
 */
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

function joinSql(embed: ReadNode, parent: ReadNode, values: Values, mustCompare: boolean): string {
  const { join } = embed;
  if (join === undefined) return '';
  const alias = ident(join.alias);
  const kind = join.isInner ? 'inner' : 'left';
  const inside = readSql(embed, values, parent, mustCompare && isSpreadToOne(embed));
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
  const grouped = groupedName(term, node);
  const column = term.embed
    ? `${ident(term.embed.join?.alias ?? '')}.${grouped === undefined ? orderColumn(node, term) : ident(grouped)}`
    : fieldSql(findQualifier(node), term.field, values);
  const direction = term.direction ? ` ${term.direction}` : '';
  return `${column}${direction}${term.nulls ? ` nulls ${term.nulls}` : ''}`;
}

function groupSql(columns: Column[]): string {
  if (!columns.some(({ isAggregate }) => isAggregate)) return '';
  const positions = columns.flatMap(({ isAggregate }, index) => (isAggregate ? [] : [index + 1]));
  return positions.length === 0 ? '' : ` group by ${positions.join(', ')}`;
}

function windowSql({ limit, offset }: ReadNode, values: Values): string {
  // The limit is a literal, so that the planner knows it; the offset differs per page and is a parameter.
  const most = limit === undefined ? '' : ` limit ${limit}`;
  return offset === 0n ? most : `${most} offset ${values.add(String(offset))}`;
}

/** Whether `*` already includes a computed field, because the result of a write or call contains it. */
function isShownByStar(node: ReadNode, { field, alias, cast }: PlannedSelect): boolean {
  return (
    node.isFromSource &&
    alias === undefined &&
    cast === undefined &&
    isComputed(node, field.name) &&
    node.select.some((item) => item.field.name === '*')
  );
}

/**
 * @param isCompared whether an ancestor is grouped by its columns
 * @returns the SELECT of a node and its embeds
 */
export function readSql(
  node: ReadNode,
  values: Values,
  parent?: ReadNode,
  isCompared = false,
): string {
  const qualifier = findQualifier(node);
  const mustCompare = isCompared || isGrouped(node);
  const own = ownColumns(node, qualifier, values);
  const isLate = (embed: ReadNode): boolean => canComeLast(embed, node);
  const embedded = node.embeds.flatMap((embed, index) =>
    isLate(embed)
      ? [plain(lateColumn(embed, node, values))]
      : [
          ...embedColumns(embed, node, mustCompare).map(plain),
          ...hoistedColumns(embed, index, node),
        ],
  );
  const all = [...own, ...embedded];
  const group = groupSql(all);
  let columns = all.map(({ sql }) => sql);
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
    .map((embed) => (isLate(embed) ? '' : joinSql(embed, node, values, mustCompare)))
    .join('');
  const conditions = [...on, ...node.where.map((logic) => logicSql(qualifier, logic, values))];
  const order = node.order.map((term) => orderSql(node, term, values));
  const ordered = order.length === 0 ? '' : ` order by ${order.join(', ')}`;
  return `select ${columns.join(', ')} from ${from}${joins}${whereSql(conditions)}${group}${ordered}${windowSql(node, values)}`;
}
