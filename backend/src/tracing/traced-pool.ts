// Spans of statements and waits of pg's pools. pg's overloads are wrapped as they are: with a callback or a promise.
import type { Pool, PoolClient } from 'pg';
import { summarize } from './statement.ts';
import type { Tracing } from './tracing.ts';

type Note = (error?: unknown) => void;

/** @param note called when the call has ended; @param within runs the callback, which pg calls in another's context */
function observe(
  call: (args: unknown[]) => unknown,
  args: unknown[],
  note: Note,
  within: (work: () => unknown) => unknown,
): unknown {
  const callback = args.at(-1);
  if (typeof callback === 'function') {
    const answered = (...answer: unknown[]): unknown => {
      note(answer[0] ?? undefined);
      return within(() => Reflect.apply(callback, undefined, answer));
    };
    return call([...args.slice(0, -1), answered]);
  }
  return Promise.resolve(call(args)).then(
    (value) => {
      note();
      return value;
    },
    (error: unknown) => {
      note(error);
      throw error;
    },
  );
}

/** @returns undefined for what is no statement, such as the exchanges of `Callers`, which have spans of their own */
function textOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query;
  if (typeof query !== 'object' || query === null || 'submit' in query) return undefined;
  return 'text' in query && typeof query.text === 'string' ? query.text : undefined;
}

function traceQueries(client: PoolClient, tracing: Tracing): void {
  const { query } = client;
  const call = (args: unknown[]): unknown =>
    Reflect.apply<unknown, unknown[], unknown>(query, client, args);
  const traced = (...args: unknown[]): unknown => {
    const { active } = tracing;
    const text = textOf(args[0]);
    if (active === undefined || text === undefined) return call(args);
    const start = active.now();
    const note: Note = (error) =>
      tracing.recordStatement(active, summarize(text), { start }, error);
    return observe(call, args, note, (work) => tracing.run(active, work));
  };
  Object.assign(client, { query: traced });
}

/** @param hasWaits whether to record waits for a connection, which `Callers` does itself */
export function tracePool(pool: Pool, tracing: Tracing, hasWaits: boolean): void {
  pool.on('connect', (client) => traceQueries(client, tracing));
  if (!hasWaits) return;
  const { connect } = pool;
  const call = (args: unknown[]): unknown =>
    Reflect.apply<unknown, unknown[], unknown>(connect, pool, args);
  const traced = (...args: unknown[]): unknown => {
    const { active } = tracing;
    if (active === undefined) return call(args);
    const start = active.now();
    const note: Note = (error) => tracing.recordWait(active, { start }, error);
    return observe(call, args, note, (work) => tracing.run(active, work));
  };
  Object.assign(pool, { connect: traced });
}
