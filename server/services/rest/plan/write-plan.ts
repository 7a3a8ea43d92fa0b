// Plans insert, upsert, put, update and delete: columns checked, conflict target chosen, rows to give back named.
import type { Table } from '../cache/model.ts';
import * as refusals from '../errors/catalogue.ts';
import type { Filter, Query } from '../request/model.ts';
import type { Payload } from '../request/payload.ts';
import type { Preferences } from '../request/prefer.ts';
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

/** Columns of this node's rows that joining its embeds needs. */
function joinColumns(node: ReadNode): string[] {
  return node.embeds.flatMap(({ join }) => {
    const relationship = join?.relationship;
    if (relationship === undefined || relationship.kind === 'computed') return [];
    const columns =
      relationship.kind === 'many-to-many' ? relationship.junction.columns : relationship.columns;
    return columns.map(([own]) => own);
  });
}

/** Whether a selected name is computed from the whole row by a function, and not a column. */
export function isComputed({ table }: ReadNode, name: string): boolean {
  return name !== '*' && table !== undefined && !table.columns.has(name);
}

/**
 * The columns that a write or a call must hand to the reading of its result. Of a write no others, since rights
 * may be by column; of a call all, since filters may ask for any. What is computed from a row is added, because
 * only the table itself, or the function's result, still is one.
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

function returningOf(
  node: ReadNode,
  table: Table,
  preferences: Preferences,
  isInsert: boolean,
): string[] {
  if (preferences.return === 'representation')
    return neededColumns(node, { also: isInsert ? table.primaryKey : [] });
  return preferences.return === 'headers-only' ? table.primaryKey : [];
}

/** The statement reads rows from an array, so a single object becomes an array of one. */
export function rowsText({ text, isArray }: JsonPayload): string {
  return isArray ? text : `[${text}]`;
}

export function planInsert(
  table: Table,
  node: ReadNode,
  query: Query,
  payload: JsonPayload,
  preferences: Preferences,
): WritePlan {
  const { resolution } = preferences;
  const target = query.onConflict ?? table.primaryKey;
  return {
    kind: 'insert',
    table,
    columns: columnsOf(table, query.columns ?? payload.keys),
    rows: rowsText(payload),
    appliesDefaults: preferences.missing === 'default',
    conflict: resolution && target.length > 0 ? { columns: target, resolution } : undefined,
    mustMeet: [],
    isPut: false,
    returning: returningOf(node, table, preferences, true),
  };
}

const isPlainEqual = ({ field, negated, operation }: Filter): boolean =>
  field.path.length === 0 &&
  !negated &&
  operation.kind === 'quantified' &&
  operation.operator === 'eq' &&
  operation.quantifier === undefined;

/** @throws RestError PGRST105 unless the URL names exactly the primary key; PGRST114 with a window */
export function planPut(
  table: Table,
  node: ReadNode,
  query: Query,
  payload: JsonPayload,
  preferences: Preferences,
): WritePlan {
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
    table,
    columns: columnsOf(table, query.columns ?? payload.keys),
    rows: rowsText(payload),
    appliesDefaults: false,
    conflict: { columns: table.primaryKey, resolution: 'merge-duplicates' },
    mustMeet: rootConditions(node, query),
    isPut: true,
    returning: returningOf(node, table, preferences, false),
  };
}

export function planUpdate(
  table: Table,
  node: ReadNode,
  query: Query,
  payload: JsonPayload,
  preferences: Preferences,
): WritePlan {
  return {
    kind: 'update',
    table,
    columns: columnsOf(table, query.columns ?? payload.keys),
    rows: rowsText(payload),
    appliesDefaults: preferences.missing === 'default',
    where: rootConditions(node, query),
    returning: returningOf(node, table, preferences, false),
  };
}

export function planDelete(
  table: Table,
  node: ReadNode,
  query: Query,
  preferences: Preferences,
): WritePlan {
  return {
    kind: 'delete',
    table,
    where: rootConditions(node, query),
    returning: returningOf(node, table, preferences, false),
  };
}
