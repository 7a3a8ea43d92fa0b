// Builds the tree of a read: resolves select and embeds against the schema cache, then attaches filters, order and limits
// to their nodes.
import { isToOne, keyOf, type SchemaCache, type Table } from '../cache/model.ts';
import * as refusals from '../errors/catalogue.ts';
import type {
  At,
  Field,
  Filter,
  Logic,
  OrderTerm,
  Query,
  SelectEmbed,
  SelectField,
  SelectItem,
} from '../request/model.ts';
import type { Window } from '../request/query.ts';
import { findRelationship } from './lookup.ts';
import {
  isGrouped,
  type PlannedField,
  type PlannedLogic,
  type PlannedOrder,
  type PlannedSelect,
  type ReadNode,
} from './model.ts';

interface ReadLimits {
  /** Maximum rows of a read; undefined means no limit. */
  maxRows: bigint | undefined;
  allowsAggregates: boolean;
}

interface Root {
  schema: string;
  table: Table | undefined;
  /** Origin of embeds, and the alias of a source. */
  name: string;
  isFromSource: boolean;
}

function planField(table: Table | undefined, { name, path }: Field): PlannedField {
  const column = table?.columns.get(name);
  // A value inside a JSON document is not a value of the domain.
  const representation = path.length === 0 ? (column?.representation ?? undefined) : undefined;
  return { name, path, baseType: column?.baseType, representation };
}

/** `data->a->0` is named `a`; `data->0` is named `data`. */
function nameOfPath({ name, path }: Field): string | undefined {
  if (path.length === 0) return undefined;
  return path.findLast((step) => step.kind === 'key')?.name ?? name;
}

function planSelect(table: Table | undefined, item: SelectField): PlannedSelect {
  return {
    field: planField(table, item.field),
    alias: item.alias ?? (item.aggregate ? undefined : nameOfPath(item.field)),
    cast: item.cast,
    aggregate: item.aggregate,
    aggregateCast: item.aggregateCast,
  };
}

/** Expands `*` beside an aggregate, so that its columns can be grouped by, and over columns with a representation. */
function expandStars(
  table: Table | undefined,
  select: PlannedSelect[],
  isGrouped: boolean,
): PlannedSelect[] {
  if (table === undefined) return select;
  const isRepresented = [...table.columns.values()].some((one) => one.representation?.toJson);
  if (!isGrouped && !isRepresented) return select;
  return select.flatMap((item) =>
    item.field.name === '*' && item.aggregate === undefined
      ? [...table.columns.keys()].map((name) => ({
          ...item,
          field: planField(table, { name, path: [] }),
        }))
      : [item],
  );
}

const nothingPlanned = () => ({ select: [], embeds: [], where: [], order: [] });

class Planner {
  constructor(
    readonly cache: SchemaCache,
    readonly limits: ReadLimits,
  ) {}

  fill(node: ReadNode, items: SelectItem[]): void {
    const fields = items.filter((item) => item.kind === 'field');
    if (!this.limits.allowsAggregates && fields.some((item) => item.aggregate)) {
      throw refusals.aggregatesOff();
    }
    node.embeds = items.flatMap((item) => (item.kind === 'embed' ? [this.embed(node, item)] : []));
    node.select = fields.map((item) => planSelect(node.table, item));
    node.select = expandStars(node.table, node.select, isGrouped(node));
  }

  embed(parent: ReadNode, item: SelectEmbed): ReadNode {
    const relationship = findRelationship(this.cache, parent.schema, parent.tableName, item);
    const depth = parent.depth + 1;
    const { foreignSchema, foreignTable } = relationship;
    const toOne = isToOne(relationship);
    const node: ReadNode = {
      schema: foreignSchema,
      table: this.cache.tables.get(keyOf(foreignSchema, foreignTable)),
      tableName: foreignTable,
      alias: `${foreignTable}_${depth}`,
      isFromSource: false,
      name: item.alias ?? item.name,
      depth,
      ...nothingPlanned(),
      limit: toOne ? undefined : this.limits.maxRows,
      offset: 0n,
      join: {
        relationship,
        target: item.name,
        isInner: item.join === 'inner',
        isToOne: toOne,
        isSpread: item.isSpread,
        alias: `${parent.tableName}_${item.alias ?? item.name}_${depth}`,
      },
    };
    this.fill(node, item.select);
    if (item.isSpread && !toOne && isGrouped(node)) {
      throw refusals.aggregateSpread();
    }
    return node;
  }
}

/** @param name the alias of an embed, or what it embeds (PostgREST docs, "Embedded Filters") */
const embedNamed = (node: ReadNode, name: string): ReadNode | undefined =>
  node.embeds.find((embed) => embed.name === name) ??
  node.embeds.find((embed) => embed.join?.target === name);

/** @throws RestError PGRST108 when the path names a resource that is not embedded */
function nodeAt(root: ReadNode, path: string[]): ReadNode {
  return path.reduce((node, name) => {
    const found = embedNamed(node, name);
    if (found === undefined) throw refusals.notEmbedded(name);
    return found;
  }, root);
}

function planFilter(node: ReadNode, filter: Filter): PlannedLogic {
  const { field, negated, operation } = filter;
  const embed =
    field.path.length === 0 ? node.embeds.find((one) => one.name === field.name) : undefined;
  if (embed && operation.kind === 'is' && operation.value === 'null') {
    return { kind: 'embed-is-null', negated, embed };
  }
  if (embed && operation.kind === 'is' && operation.value === 'not null') {
    return { kind: 'embed-is-null', negated: !negated, embed };
  }
  if (embed && !node.table?.columns.has(field.name)) throw refusals.embedOperator(field.name);
  return { kind: 'filter', field: planField(node.table, field), negated, operation };
}

function planLogic(node: ReadNode, logic: Logic): PlannedLogic {
  if (logic.kind === 'filter') return planFilter(node, logic.filter);
  return { ...logic, terms: logic.terms.map((term) => planLogic(node, term)) };
}

function planOrder(node: ReadNode, term: OrderTerm): PlannedOrder {
  const { direction, nulls, relation } = term;
  if (relation === undefined) return { direction, nulls, field: planField(node.table, term.field) };
  const embed = embedNamed(node, relation);
  if (embed === undefined) throw refusals.notEmbedded(relation);
  if (!embed.join?.isToOne) throw refusals.relatedOrder(node.tableName, relation);
  const { name, path } = term.field;
  // PostgREST orders by the embed's result, so an alias works where no column has the name.
  const aliased = embed.table?.columns.has(name)
    ? undefined
    : embed.select.find((item) => item.alias === name && path.length === 0 && !item.aggregate);
  const field = aliased?.field ?? planField(embed.table, term.field);
  return { direction, nulls, field, embed };
}

/** Conditions on the root only. A write applies them itself. */
export function rootConditions(node: ReadNode, query: Query): PlannedLogic[] {
  const isRoot = ({ path }: At<unknown>): boolean => path.length === 0;
  return [
    ...query.filters.filter(isRoot).map(({ value }) => planFilter(node, value)),
    ...query.logic.filter(isRoot).map(({ value }) => planLogic(node, value)),
  ];
}

/**
 * @param window of the root; undefined for a write
 * @throws RestError for unknown relationships, resources that are not embedded, and impossible orders
 */
export function planRead(
  cache: SchemaCache,
  root: Root,
  query: Query,
  limits: ReadLimits,
  window: Window | undefined,
): ReadNode {
  const { maxRows } = limits;
  const asked = window?.limit;
  const node: ReadNode = {
    schema: root.schema,
    table: root.table,
    tableName: root.name,
    alias: root.isFromSource ? root.name : undefined,
    isFromSource: root.isFromSource,
    name: root.name,
    depth: 0,
    ...nothingPlanned(),
    limit: asked !== undefined && (maxRows === undefined || asked < maxRows) ? asked : maxRows,
    offset: window?.offset ?? 0n,
    join: undefined,
  };
  if (window === undefined) node.limit = undefined;
  new Planner(cache, limits).fill(node, query.select);
  if (window !== undefined) node.where = rootConditions(node, query);
  for (const { path, value } of query.filters) {
    if (path.length > 0) {
      const target = nodeAt(node, path);
      target.where.push(planFilter(target, value));
    }
  }
  for (const { path, value } of query.logic) {
    if (path.length > 0) {
      const target = nodeAt(node, path);
      target.where.push(planLogic(target, value));
    }
  }
  for (const { path, value } of query.order) {
    const target = nodeAt(node, path);
    target.order = value.map((term) => planOrder(target, term));
  }
  limitEmbeds(node, query, maxRows);
  return node;
}

function limitEmbeds(root: ReadNode, query: Query, maxRows: bigint | undefined): void {
  for (const { path, value } of query.limits) {
    if (path.length === 0) continue;
    if (value < 0n) throw refusals.invalidRange('Limit should be greater than or equal to zero.');
    const target = nodeAt(root, path);
    target.limit = maxRows !== undefined && maxRows < value ? maxRows : value;
  }
  for (const { path, value } of query.offsets) {
    if (path.length > 0) nodeAt(root, path).offset = value < 0n ? 0n : value;
  }
}
