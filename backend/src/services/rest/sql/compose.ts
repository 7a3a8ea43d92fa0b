// Composes one statement for the whole request, which returns a single row: body, counts, and `response.*` settings.
import type { Statement } from '../../../database/exchange.ts';
import { isWritable } from '../../../database/wire/json-rows.ts';
import type { StatementSummary } from '../../../tracing/statement.ts';
import {
  type CallPlan,
  isGrouped,
  type PlannedSelect,
  type ReadNode,
  type WritePlan,
} from '../plan/model.ts';
import type { Plan } from '../plan/plan.ts';
import { neededColumns } from '../plan/write-plan.ts';
import type { Format } from '../request/accept.ts';
import type { Limits } from '../request/model.ts';
import type { Preferences, RestRequest } from '../request/request.ts';
import type { RestSettings } from '../settings.ts';
import { countSql, ident, SOURCE, Values } from './from.ts';
import { readSql } from './read.ts';
import { bodySql, ROWS } from './response-body.ts';
import { callSql, writeSql } from './source.ts';

/** Columns of the single row, in order. */
export const COLUMNS = [
  'body',
  'rows',
  'total',
  'headers',
  'status',
  'inserted',
  'location',
  'guard',
] as const;

export interface Composed {
  statement: Statement;
  /** Returns the planner's estimate of all rows, if requested. */
  estimate: Statement | undefined;
  /** Index of the request body among the statement's values. */
  bodyAt?: number | undefined;
}

interface Parts {
  source?: string;
  isInlined?: boolean;
  read: string;
  body: string;
  isCsv: boolean;
  total?: string | undefined;
  inserted?: string;
  location?: string;
  guards?: string[];
}

const setting = (name: string): string => `nullif(current_setting('${name}', true), '')`;

function assemble(parts: Parts, values: Values): Statement {
  const {
    source,
    isInlined,
    read,
    body,
    isCsv,
    total = 'null',
    inserted = 'null',
    location = 'null',
  } = parts;
  const guards = parts.guards ?? [];
  const columns = [
    body,
    'count(*)',
    total,
    setting('response.headers'),
    setting('response.status'),
    inserted,
    location,
    guards.length === 0 ? 'null' : guards.join(' || '),
  ];
  const named = columns.map((text, index) => `${text} as "${COLUMNS[index]}"`);
  const tables = [
    ...(source === undefined
      ? []
      : [`${SOURCE} as ${isInlined ? 'not materialized ' : ''}(${source})`]),
    ...(isCsv ? [`${ROWS} as (${read})`] : []),
  ];
  const head = tables.length === 0 ? '' : `with ${tables.join(', ')} `;
  const from = isCsv ? ROWS : `(${read})`;
  const text = `${head}select ${named.join(', ')} from ${from} as _r`;
  return { text, values: values.list, returns: 'value' };
}

function refuseWhen(condition: string, reason: string): string {
  return `case when ${condition} then rest.refuse('${reason}', count(*)) end`;
}

/** Rolls back a write whose response would be too large. */
function refuseLarge(body: string, { responseBytes }: Limits): string {
  return `case when octet_length((${body})::text) > ${responseBytes} then rest.refuse('54000', ${responseBytes}) end`;
}

function guardsOf(format: Format, preferences: Preferences): string[] {
  const { maxAffected, handling } = preferences;
  return [
    ...(format.kind === 'object' ? [refuseWhen('count(*) <> 1', 'PGRST116')] : []),
    ...(maxAffected !== undefined && handling === 'strict'
      ? [refuseWhen(`count(*) > ${maxAffected}`, 'PGRST124')]
      : []),
  ];
}

function exactTotal(node: ReadNode, values: Values): string {
  const all = `(select count(*) from (${countSql(node, values)}) as _c)`;
  if (node.limit === undefined || node.limit < 1n) return all;
  if (isGrouped(node)) return all;
  // A page that is not full is the last: its end is the total.
  const isLast =
    node.offset === 0n ? `count(*) < ${node.limit}` : `count(*) > 0 and count(*) < ${node.limit}`;
  return `case when ${isLast} then ${node.offset} + count(*) else ${all} end`;
}

const isPlain = ({ field, cast, aggregate }: PlannedSelect, { table }: ReadNode): boolean => {
  if (cast !== undefined || aggregate !== undefined || field.path.length > 0) return false;
  const columns = field.name === '*' ? [...(table?.columns.values() ?? [])] : [field];
  return columns.every(
    ({ baseType, representation }) =>
      baseType !== undefined && isWritable(baseType) && !representation?.toJson,
  );
};

/** Whether Node can write the rows: columns of simple types, and embeds, which are JSON already. */
const isWritten = (node: ReadNode): boolean =>
  node.select.every((item) => isPlain(item, node)) &&
  node.embeds.every(({ join }) => !join?.isSpread);

function composeRead(
  node: ReadNode,
  { format, preferences: { count }, method }: RestRequest,
  { maxRows, writesRows }: Limited,
): Composed {
  const values = new Values();
  const isHead = method === 'HEAD';
  const read = readSql(node, values);
  const isArray = format.kind === 'array' && !format.isStripped;
  if (writesRows && isArray && !isHead && count === undefined && isWritten(node)) {
    return { statement: { text: read, values: values.list, returns: 'json' }, estimate: undefined };
  }
  let total: string | undefined;
  // The planner's estimate counts rows that the caller may not see.
  const isBounded = count === 'estimated' || (count === 'planned' && differsByCaller(node));
  if (count === 'exact' || (isBounded && maxRows === undefined)) {
    total = exactTotal(node, values);
  } else if (isBounded && maxRows !== undefined) {
    total = `(select count(*) from (${countSql(node, values)} limit ${maxRows + 1n}) as _c)`;
  }
  const isCsv = format.kind === 'csv' && !isHead;
  const body = isHead ? `''` : bodySql(format);
  return {
    statement: assemble({ read, body, isCsv, total }, values),
    estimate: count === 'planned' || count === 'estimated' ? estimateOf(node) : undefined,
  };
}

const differsByCaller = ({ table, embeds }: ReadNode): boolean =>
  table === undefined || table.differsByCaller || embeds.some(differsByCaller);

function estimateOf(node: ReadNode): Statement {
  const values = new Values();
  return { text: `explain (format json) ${countSql(node, values)}`, values: values.list };
}

/** The primary key of the first row as a JSON array of name and value pairs. */
function locationSql(primaryKey: string[]): string {
  const pairs = primaryKey.map(
    (name) => `array['${name.replaceAll("'", "''")}', ${ident(name)}::text]`,
  );
  return `(select array_to_json(array[${pairs.join(', ')}]) from ${SOURCE} limit 1)`;
}

function composeWrite(
  plan: WritePlan,
  node: ReadNode,
  { format, preferences }: RestRequest,
  limits: Limits,
): Composed {
  const values = new Values();
  const source = writeSql(plan, values);
  const shows = preferences.return === 'representation';
  const hasLocation =
    plan.kind === 'insert' &&
    preferences.return === 'headers-only' &&
    plan.table.primaryKey.length > 0;
  const isPut = plan.kind === 'insert' && plan.isPut;
  const body = shows ? bodySql(format) : `''`;
  const parts: Parts = {
    source,
    read: shows ? readSql(node, values) : `select 1 from ${SOURCE}`,
    body,
    isCsv: shows && format.kind === 'csv',
    inserted: setting('pgrst.inserted'),
    guards: [
      ...(isPut ? [refuseWhen('count(*) <> 1', 'PGRST115')] : []),
      ...guardsOf(format, preferences),
      ...(shows ? [refuseLarge(body, limits)] : []),
    ],
    ...(hasLocation && { location: locationSql(plan.table.primaryKey) }),
  };
  return { statement: assemble(parts, values), estimate: undefined, bodyAt: values.bodyAt };
}

function composeCall(
  plan: CallPlan,
  node: ReadNode,
  { format, preferences, method }: RestRequest,
  limits: Limits,
): Composed {
  const values = new Values();
  const isHead = method === 'HEAD';
  const isVoid = plan.routine.returns === 'void';
  const hasBody = !isHead && !isVoid;
  const body = hasBody ? bodySql(format, plan.routine) : `''`;
  const source = callSql(plan, neededColumns(node, { all: true }), values);
  const parts: Parts = {
    source,
    // With a count it is read twice: a page by an index and a count without the columns, not all rows with all of them.
    isInlined: plan.routine.isInlined,
    read: readSql(node, values),
    body,
    isCsv: !isHead && format.kind === 'csv',
    total: preferences.count === undefined ? undefined : exactTotal(node, values),
    guards: [
      ...(isVoid ? [] : guardsOf(format, preferences)),
      ...(hasBody && plan.routine.isVolatile ? [refuseLarge(body, limits)] : []),
    ],
  };
  return { statement: assemble(parts, values), estimate: undefined };
}

function explained({ statement }: Composed, plan: NonNullable<Format['plan']>): Composed {
  const options = [`format ${plan.format}`, ...plan.options].join(', ');
  const { returns: _, ...others } = statement;
  return {
    statement: { ...others, text: `explain (${options}) ${statement.text}` },
    estimate: undefined,
  };
}

function composeResult(request: RestRequest, plan: Plan, settings: Limited): Composed {
  const { node } = plan;
  if (plan.kind === 'read') return composeRead(node, request, settings);
  if (plan.kind === 'write') return composeWrite(plan.write, node, request, settings.limits);
  return composeCall(plan.call, node, request, settings.limits);
}

type Limited = Pick<RestSettings, 'maxRows' | 'limits' | 'writesRows'>;

export function compose(request: RestRequest, plan: Plan, settings: Limited): Composed {
  const composed = composeResult(request, plan, settings);
  composed.statement.summary = summaryOf(plan);
  const { plan: requested } = request.format;
  return requested === undefined ? composed : explained(composed, requested);
}

/** Names of the schema cache: a request can't put anything else here. */
function summaryOf(plan: Plan): StatementSummary {
  if (plan.kind === 'call') return { operation: 'CALL', target: nameOf(plan.call.routine) };
  if (plan.kind === 'write') {
    return { operation: plan.write.kind.toUpperCase(), target: nameOf(plan.write.table) };
  }
  return { operation: 'SELECT', target: plan.node.table && nameOf(plan.node.table) };
}

const nameOf = ({ schema, name }: { schema: string; name: string }): string => `${schema}.${name}`;
