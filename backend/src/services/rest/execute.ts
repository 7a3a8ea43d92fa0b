import { escapeIdentifier } from 'pg';
import type { Caller, CallOptions } from '../../database/callers.ts';
import type { Database } from '../../database/database.ts';
import type { Reply } from '../../database/exchange.ts';
import { toNetwork } from '../../http/request.ts';
import { keyOf, type Reach, type SchemaCache } from './cache/model.ts';
import type { Plan } from './plan/plan.ts';
import type { Prepared } from './prepared-requests.ts';
import type { RestRequest } from './request/request.ts';
import type { RestSettings } from './settings.ts';
import type { COLUMNS } from './sql/compose.ts';

/** The single row of the result, as text; of rows that Node wrote as JSON, their number and `bytes` alone. */
export type Result = Record<(typeof COLUMNS)[number], string | null> & {
  /** The planner's estimate of all rows, if requested. */
  estimate: bigint | undefined;
  /** A long body as bytes; `body` is empty then. */
  bytes: Buffer | undefined;
};

interface Context {
  cache: SchemaCache;
  settings: RestSettings;
  rollsBack: boolean;
}

/** A function that is called, also before each request, or a view that is written to, may read and change anything. */
const ANYTHING: Reach = { readsRequest: true, changesSession: true };

function reachOf(plan: Plan, { reads, writes }: SchemaCache): Reach {
  if (plan.kind === 'read') return reads;
  if (plan.kind === 'call') return ANYTHING;
  const { schema, name } = plan.write.table;
  return writes.get(keyOf(schema, name)) ?? ANYTHING;
}

/** Sets only what this request needs: every setting makes a small read slower. */
function optionsFor(
  caller: Caller,
  request: RestRequest,
  plan: Plan,
  { cache, settings }: Context,
): CallOptions {
  const local: [string, string][] = [...settings.ofRole(caller.role), ...settings.appSettings];
  const path = settings.searchPath(request.schema);
  const isOwn = [...new Set(path)].join('\0') === cache.searchPath.join('\0');
  // An execution plan lists the settings, so there the path is always set, as in PostgREST.
  if (!isOwn || request.format.plan !== undefined) {
    local.push(['search_path', path.map(escapeIdentifier).join(', ')]);
  }
  const reach = settings.preRequest === undefined ? reachOf(plan, cache) : ANYTHING;
  // For tables only if a function, view, policy or trigger reads them.
  if (reach.readsRequest) {
    const { cookie, ...headers } = request.headers;
    local.push(
      ['request.method', request.method],
      ['request.path', request.path],
      // As a gateway in front of PostgREST does. Rate limits in the database rely on it, so callers can't set it.
      ['request.headers', JSON.stringify({ ...headers, 'x-forwarded-for': request.address })],
      ['request.cookies', JSON.stringify(cookiesOf(cookie))],
    );
  }
  if (plan.kind === 'call' && plan.call.routine.statementTimeout !== null)
    local.push(['statement_timeout', plan.call.routine.statementTimeout]);
  if (request.preferences.timezone !== undefined)
    local.push(['timezone', request.preferences.timezone]);
  return {
    settings: local,
    readOnly: plan.isReadOnly,
    resetsSession: reach.changesSession,
    network: toNetwork(request.address),
    // A write checks the size in its own statement, so that it is rolled back.
    maxBytes: plan.isReadOnly ? settings.limits.responseBytes : undefined,
    onGone: request.onGone,
  };
}

function cookiesOf(header: string | undefined): Record<string, string> {
  const pairs = (header ?? '').split(';').flatMap((part): [string, string][] => {
    const at = part.indexOf('=');
    return at < 0 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()]];
  });
  return Object.fromEntries(pairs);
}

/** The first "Plan Rows" of EXPLAIN (FORMAT JSON) is that of the outermost node. */
function estimateIn(reply: Reply | undefined): bigint | undefined {
  const text = reply?.rows.map(([line]) => line).join('') ?? '';
  const rows = /"Plan Rows": (\d+)/.exec(text)?.[1];
  return rows === undefined ? undefined : BigInt(rows);
}

/** Each row of an execution plan is one line. */
function planOf({ rows, ...reply }: Reply): Reply {
  return { ...reply, rows: [[rows.map(([line]) => line).join('\n')]] };
}

function resultOf([reply, estimate]: Reply[]): Result {
  const row = reply?.count === undefined ? reply?.rows[0] : [null, String(reply.count)];
  if (row === undefined) throw new Error('The statement returned no row.');
  const [body = null, rows = null, total = null, headers = null] = row;
  const [, , , , status = null, inserted = null, location = null, guard = null] = row;
  const counted = { rows, total, inserted, estimate: estimateIn(estimate) };
  return { body, bytes: reply?.bytes, headers, status, location, guard, ...counted };
}

class RollBack extends Error {
  constructor(readonly replies: Reply[]) {
    super('rolled back on request');
  }
}

/**
 * Runs a planned request as its caller.
 * @throws pg's DatabaseError when the database refuses
 */
export async function execute(
  database: Database,
  caller: Caller,
  request: RestRequest,
  { plan, composed }: Prepared,
  context: Context,
): Promise<Result> {
  const { statement, estimate } = composed;
  const { preRequest } = context.settings;
  const before = preRequest === undefined ? [] : [{ text: `select ${preRequest}()`, values: [] }];
  const after = estimate === undefined ? [] : [estimate];
  const statements = [...before, statement, ...after];
  const result = (replies: Reply[]): Result => {
    const own = replies.slice(before.length);
    return resultOf(request.format.plan === undefined ? own : own.map(planOf));
  };
  const options = optionsFor(caller, request, plan, context);
  if (!context.rollsBack) {
    return result(await database.callers.runAll(caller, statements, options));
  }
  try {
    await database.callers.transaction(
      caller,
      async (run) => {
        const replies: Reply[] = [];
        for (const one of statements) replies.push(await run(one));
        // Deferred constraints would be checked at commit.
        await run({ text: 'set constraints all immediate', values: [] });
        throw new RollBack(replies);
      },
      options,
    );
  } catch (error) {
    if (error instanceof RollBack) return result(error.replies);
    throw error;
  }
  throw new Error('The transaction was not rolled back.');
}
