// The plan of a request: names resolved, relationships chosen, nothing left to decide.
import type { Relationship, Representation, Routine, Table } from '../cache/model.ts';
import type { Aggregate, Field, Operation, OrderTerm } from '../request/model.ts';

/** A column with its type; PostgreSQL reports unknown columns. */
export interface PlannedField extends Field {
  baseType: string | undefined;
  representation: Representation | undefined;
}

export type PlannedLogic =
  | { kind: 'filter'; field: PlannedField; negated: boolean; operation: Operation }
  /** Tests whether an embedded resource has a row. */
  | { kind: 'embed-is-null'; negated: boolean; embed: ReadNode }
  | { kind: 'group'; negated: boolean; operator: 'and' | 'or'; terms: PlannedLogic[] };

export interface PlannedOrder extends Pick<OrderTerm, 'direction' | 'nulls'> {
  field: PlannedField;
  /** The to-one embed that the column belongs to. */
  embed?: ReadNode;
}

export interface PlannedSelect {
  field: PlannedField;
  alias: string | undefined;
  cast: string | undefined;
  aggregate: Aggregate | undefined;
  aggregateCast: string | undefined;
}

export interface Join {
  relationship: Relationship;
  /** A table, a foreign key or its column. */
  target: string;
  isInner: boolean;
  isToOne: boolean;
  isSpread: boolean;
  /** Name of the joined result, for example `films_directors_1`. */
  alias: string;
}

export interface ReadNode {
  schema: string;
  /** Undefined for a function that does not return rows of a table. */
  table: Table | undefined;
  tableName: string;
  /** Qualifies the columns of this node, for example `films_1`; undefined for the root, which uses the table's name. */
  alias: string | undefined;
  /** The root of a write or call selects from its result, not from the table. */
  isFromSource: boolean;
  /** Name in the response: the alias, or the name used in `select`. */
  name: string;
  depth: number;
  select: PlannedSelect[];
  embeds: ReadNode[];
  where: PlannedLogic[];
  order: PlannedOrder[];
  limit: bigint | undefined;
  offset: bigint;
  join: Join | undefined;
}

/** An aggregate of a spread to-one embed, with the name of the column in which the embed provides its input. */
interface HoistedAggregate {
  column: string;
  item: PlannedSelect;
}

/** Whether the columns of a node become its parent's, with at most one row per row of the parent. */
export const isSpreadToOne = ({ join }: ReadNode): boolean =>
  join?.isSpread === true && join.isToOne;

/** @returns the aggregates in a spread to-one embed and those below it, which are computed over its parent's rows */
export function hoistedAggregates(node: ReadNode): HoistedAggregate[] {
  if (!isSpreadToOne(node)) return [];
  return [
    ...node.select.flatMap((item, index) =>
      item.aggregate ? [{ column: `pgrst_aggregate_${index}`, item }] : [],
    ),
    ...node.embeds.flatMap((embed, index) =>
      hoistedAggregates(embed).map(({ column, item }) => ({ column: `${column}_${index}`, item })),
    ),
  ];
}

/** Whether a node computes aggregates: its own or those of its spread embeds. */
export const isGrouped = (node: ReadNode): boolean =>
  !isSpreadToOne(node) &&
  (node.select.some((item) => item.aggregate) ||
    node.embeds.some((embed) => hoistedAggregates(embed).length > 0));

export interface WriteColumn {
  name: string;
  type: string;
  default: string | null;
  /** The domain's function that reads the value from JSON. */
  fromJson: string | undefined;
}

export type WritePlan = {
  table: Table;
  /** Columns to return; may be empty. */
  returning: string[];
} & (
  | {
      kind: 'insert';
      columns: WriteColumn[];
      rows: string;
      appliesDefaults: boolean;
      conflict:
        | { columns: string[]; resolution: 'merge-duplicates' | 'ignore-duplicates' }
        | undefined;
      /** Filters of a PUT, which its row must satisfy. */
      mustMatch: PlannedLogic[];
      isPut: boolean;
    }
  | {
      kind: 'update';
      columns: WriteColumn[];
      rows: string;
      appliesDefaults: boolean;
      where: PlannedLogic[];
    }
  | { kind: 'delete'; where: PlannedLogic[] }
);

export type CallArguments =
  | { kind: 'none' }
  /** The whole body for a single unnamed parameter. */
  | { kind: 'body'; type: string; value: string }
  | { kind: 'json'; text: string; isArray: boolean; parameters: Routine['parameters'] }
  | { kind: 'direct'; values: { parameter: Routine['parameters'][number]; value: string }[] };

export interface CallPlan {
  routine: Routine;
  arguments: CallArguments;
}

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
