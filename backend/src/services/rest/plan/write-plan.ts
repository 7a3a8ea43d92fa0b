import type { Table } from '../cache/model.ts';
import * as refusals from '../errors/catalogue.ts';
import type { Filter, Query } from '../request/model.ts';
import type { Payload } from '../request/payload.ts';
import type { Preferences } from '../request/request.ts';
import type { ReadNode, WriteColumn, WritePlan } from './model.ts';
import { rootConditions } from './read-plan.ts';

export type JsonPayload = Extract<Payload, { kind: 'json' }>;

function columnsOf(table: Table, names: Iterable<string>): WriteColumn[] {
  return [...new Set(names)].map((name) => {
    const column = table.columns.get(name);
    if (column === undefined) throw refusals.unknownColumn(name, table.name);
    return {
      name,
      type: column.type,
      default: column.default,
      fromJson: column.representation?.fromJson,
    };
  });
}

/** Columns of this node that its embeds are joined by. */
function joinColumns(node: ReadNode): string[] {
  return node.embeds.flatMap(({ join }) => {
    const relationship = join?.relationship;
    if (relationship === undefined || relationship.kind === 'computed') return [];
    const columns =
      relationship.kind === 'many-to-many' ? relationship.junction.columns : relationship.columns;
    return columns.map(([own]) => own);
  });
}

/** Whether a selected name is a computed field, a function of the row (PostgREST docs, "Computed Fields"). */
export function isComputed({ table }: ReadNode, name: string): boolean {
  return name !== '*' && table !== undefined && !table.columns.has(name);
}

/**
 * The columns that a write or call must return for its result to be read. A write returns no others, because privileges
 * may be per column; a call returns all, because filters may use any. Computed fields are included, because only the
 * table itself, or the function's result, has the row type they need.
 */
export function neededColumns(
  node: ReadNode,
  options: { also?: string[]; all?: boolean } = {},
): string[] {
  const { also = [], all = false } = options;
  const selected = node.select.map(({ field }) => field.name);
  const ordered = node.order.flatMap(({ embed, field }) => (embed ? [] : [field.name]));
  const isAll =
    all ||
    selected.includes('*') ||
    node.embeds.some(({ join }) => join?.relationship.kind === 'computed');
  const named = [...selected, ...ordered];
  const columns = isAll
    ? ['*', ...named.filter((name) => isComputed(node, name))]
    : [...named, ...joinColumns(node), ...also];
  return [...new Set(columns)];
}

interface Source {
  table: Table;
  node: ReadNode;
  query: Query;
  preferences: Preferences;
}

function returningOf({ node, table, preferences }: Source, isInsert: boolean): string[] {
  if (preferences.return === 'representation')
    return neededColumns(node, { also: isInsert ? table.primaryKey : [] });
  return preferences.return === 'headers-only' ? table.primaryKey : [];
}

/** The rows of an insert or an update. */
function rowsOf({ table, query, preferences }: Source, payload: JsonPayload) {
  return {
    table,
    columns: columnsOf(table, query.columns ?? payload.keys),
    rows: rowsText(payload),
    appliesDefaults: preferences.missing === 'default',
  };
}

/** @returns a JSON array of rows */
export function rowsText({ text, isArray }: JsonPayload): string {
  return isArray ? text : `[${text}]`;
}

export function planInsert(source: Source, payload: JsonPayload): WritePlan {
  const { resolution } = source.preferences;
  const target = source.query.onConflict ?? source.table.primaryKey;
  return {
    kind: 'insert',
    ...rowsOf(source, payload),
    conflict: resolution && target.length > 0 ? { columns: target, resolution } : undefined,
    mustMatch: [],
    isPut: false,
    returning: returningOf(source, true),
  };
}

const isPlainEqual = ({ field, negated, operation }: Filter): boolean =>
  field.path.length === 0 &&
  !negated &&
  operation.kind === 'quantified' &&
  operation.operator === 'eq' &&
  operation.quantifier === undefined;

/** @throws RestError PGRST105 unless the filters are exactly the primary key; PGRST114 with a limit or offset */
export function planPut(source: Source, payload: JsonPayload): WritePlan {
  const { table, node, query } = source;
  if (query.limits.length > 0 || query.offsets.length > 0) throw refusals.putRange();
  const named = new Set(query.filters.map(({ value }) => value.field.name));
  const isKey =
    table.primaryKey.length > 0 &&
    query.logic.length === 0 &&
    named.size === table.primaryKey.length &&
    table.primaryKey.every((name) => named.has(name)) &&
    query.filters.every(({ path, value }) => path.length === 0 && isPlainEqual(value));
  if (!isKey) throw refusals.putFilters();
  return {
    kind: 'insert',
    ...rowsOf(source, payload),
    appliesDefaults: false,
    conflict: { columns: table.primaryKey, resolution: 'merge-duplicates' },
    mustMatch: rootConditions(node, query),
    isPut: true,
    returning: returningOf(source, false),
  };
}

export function planUpdate(source: Source, payload: JsonPayload): WritePlan {
  const where = rootConditions(source.node, source.query);
  const returning = returningOf(source, false);
  return { kind: 'update', ...rowsOf(source, payload), where, returning };
}

export function planDelete(source: Source): WritePlan {
  const { table, node, query } = source;
  const where = rootConditions(node, query);
  return { kind: 'delete', table, where, returning: returningOf(source, false) };
}
