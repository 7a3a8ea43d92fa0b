// Runs a planned request as its caller: settings, one statement, one network write.
import type { Caller, CallOptions } from '../../database/callers.ts';
import type { Database } from '../../database/database.ts';
import type { Reply } from '../../database/exchange.ts';
import { networkOf } from '../../http/network.ts';
import type { SchemaCache } from './cache/model.ts';
import type { Plan } from './plan/plan.ts';
import type { Prepared } from './prepared-requests.ts';
import type { RestRequest } from './request/request.ts';
import type { RestSettings } from './settings.ts';
import type { COLUMNS } from './sql/compose.ts';

/** The one row of the answer, as text. */
export type Result = Record<(typeof COLUMNS)[number], string | null> & {
  /** The planner's guess at all rows, where it was asked for. */
  estimate: bigint | undefined;
  /** A long body, as it came from the database; `body` is empty then. */
  bytes: Buffer | undefined;
};

const NOTHING: Result = {
  body: null,
  rows: null,
  total: null,
  headers: null,
  status: null,
  inserted: null,
  location: null,
  guard: null,
  estimate: undefined,
  bytes: undefined,
};

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Only what this request needs: each setting costs a little of every small read (PERFORMANCE.md). */
function optionsFor(
  caller: Caller,
  request: RestRequest,
  plan: Plan,
  cache: SchemaCache,
  settings: RestSettings,
): CallOptions {
  const local: [string, string][] = [...settings.ofRole(caller.role)];
  const path = settings.searchPath(request.schema);
  const isOwn = [...new Set(path)].join('\0') === cache.searchPath.join('\0');
  // A plan tells the settings that were made, so there it is made as PostgREST does.
  if (!isOwn || request.answer.plan !== undefined) {
    local.push(['search_path', path.map(quote).join(', ')]);
  }
  // A read of tables sets them only where some function, view or policy looks at them.
  if (plan.kind !== 'read' || cache.readsRequest || settings.preRequest !== undefined) {
    const { cookie, ...headers } = request.headers;
    local.push(
      ['request.method', request.method],
      ['request.path', request.path],
      // As a gateway in front of PostgREST does: limits of the database rely on the address, so no caller writes it.
      ['request.headers', JSON.stringify({ ...headers, 'x-forwarded-for': request.address })],
      ['request.cookies', JSON.stringify(cookiesOf(cookie))],
    );
  }
  if (request.preferences.timezone !== undefined)
    local.push(['timezone', request.preferences.timezone]);
  return {
    settings: local,
    readOnly: plan.isReadOnly,
    // A function may leave a setting to the connection; of a read only where there is one that does.
    resetsSession: plan.kind !== 'read' || cache.keepsSettings,
    network: networkOf(request.address),
    // Of what changes something the statement itself refuses, so that nothing is changed then.
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

/** `EXPLAIN (FORMAT JSON)` prints the number of rows of its outermost node first. */
function estimateIn(reply: Reply | undefined): bigint | undefined {
  const text = reply?.rows.map(([line]) => line).join('') ?? '';
  const rows = /"Plan Rows": (\d+)/.exec(text)?.[1];
  return rows === undefined ? undefined : BigInt(rows);
}

/** Of a plan each row is one line. */
function planOf(reply: Reply | undefined): Result {
  const lines = reply?.rows.map(([line]) => line) ?? [];
  return { ...NOTHING, body: lines.join('\n') };
}

function resultOf(replies: Reply[]): Result {
  const [reply, estimate] = replies;
  const row = reply?.rows[0];
  if (row === undefined) throw new Error('The statement gave back no row.');
  const [body, rows, total, headers, status, inserted, location, guard] = row.map(
    (cell) => cell ?? null,
  );
  return {
    body: body ?? null,
    rows: rows ?? null,
    total: total ?? null,
    headers: headers ?? null,
    status: status ?? null,
    inserted: inserted ?? null,
    location: location ?? null,
    guard: guard ?? null,
    estimate: estimateIn(estimate),
    bytes: reply?.bytes,
  };
}

class RollBack extends Error {
  constructor(readonly replies: Reply[]) {
    super('rolled back on request');
  }
}

/** @throws pg's DatabaseError when the database refuses */
export async function execute(
  database: Database,
  caller: Caller,
  request: RestRequest,
  { plan, composed }: Prepared,
  context: { cache: SchemaCache; settings: RestSettings; rollsBack: boolean },
): Promise<Result> {
  const { statement, estimate } = composed;
  const { preRequest } = context.settings;
  const before = preRequest === undefined ? [] : [{ text: `select ${preRequest}()`, values: [] }];
  const after = estimate === undefined ? [] : [estimate];
  const statements = [...before, statement, ...after];
  const result = (replies: Reply[]): Result => {
    const own = replies.slice(before.length);
    return request.answer.plan === undefined ? resultOf(own) : planOf(own[0]);
  };
  const options = optionsFor(caller, request, plan, context.cache, context.settings);
  if (!context.rollsBack) {
    return result(await database.callers.runAll(caller, statements, options));
  }
  try {
    await database.callers.transaction(
      caller,
      async (run) => {
        const replies: Reply[] = [];
        for (const one of statements) replies.push(await run(one));
        // What a commit would refuse is refused here too.
        await run({ text: 'set constraints all immediate', values: [] });
        throw new RollBack(replies);
      },
      options,
    );
  } catch (error) {
    if (error instanceof RollBack) return result(error.replies);
    throw error;
  }
  throw new Error('A transaction that was to be rolled back has ended otherwise.');
}
