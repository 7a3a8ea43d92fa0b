// The one door through which callers' queries enter the database: role and claims are set for the transaction only.
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError, type Pool } from 'pg';
import { Exchange, type Reply, type Statement } from './exchange.ts';

export interface Caller {
  /** Database role of the request: anon, authenticated or service_role. */
  role: string;
  /** The token's claims as JSON text; `request.jwt.claims` for the policies. */
  claims: string;
}

export interface CallOptions {
  /** Further settings, local to the transaction, for example `search_path` or `request.headers`. */
  settings?: [name: string, value: string][];
  readOnly?: boolean;
}

/** Runs statements one by one inside a transaction that is already the caller's. */
export type Run = (statement: Statement) => Promise<Reply>;

const TRIES = 5;
const RETRIED = new Set(['40001', '40P01']);
const STALE_PLAN = '0A000';

/** The first statement of every request: role, claims and further settings, for this transaction only. */
export function settingsStatement(caller: Caller, options: CallOptions): Statement {
  const settings: [string, string][] = [
    ['role', caller.role],
    ['request.jwt.claims', caller.claims],
    ...(options.settings ?? []),
  ];
  if (options.readOnly) settings.push(['transaction_read_only', 'on']);
  return {
    text: `select ${settings.map((_, i) => `set_config($${i * 2 + 1}, $${i * 2 + 2}, true)`).join(', ')}`,
    values: settings.flat(),
  };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

export class Callers {
  constructor(readonly pool: Pool) {}

  /** As `runAll`, for one statement. */
  async run(caller: Caller, statement: Statement, options: CallOptions = {}): Promise<Reply> {
    const [reply] = await this.runAll(caller, [statement], options);
    if (reply === undefined) throw new Error('The database answered without a result.');
    return reply;
  }

  /**
   * Runs statements that do not depend on each other as the caller in one network write and one transaction.
   * Deadlocks and serialization failures are tried again, so that two people at once never see a 5xx.
   * @returns a reply for each statement, in order
   * @throws pg's DatabaseError, with SQLSTATE, when the database refuses
   */
  async runAll(
    caller: Caller,
    statements: Statement[],
    options: CallOptions = {},
  ): Promise<Reply[]> {
    const all = [settingsStatement(caller, options), ...statements];
    for (let attempt = 1; ; attempt += 1) {
      const client = await this.pool.connect();
      let broken: Error | undefined;
      const exchange = new Exchange(all, caller.role);
      try {
        client.query(exchange);
        const [, ...replies] = await exchange.result;
        return replies;
      } catch (error) {
        const code = codeOf(error);
        if (code === undefined) broken = error as Error;
        const stale = code === STALE_PLAN && /cached plan/.test((error as Error).message);
        if (stale) exchange.forgetPlans();
        const again = stale || (code !== undefined && RETRIED.has(code));
        if (!again || attempt >= TRIES) throw error;
      } finally {
        client.release(broken);
      }
      await pause(Math.random() * 10 * 2 ** attempt);
    }
  }

  /**
   * Runs several dependent statements as the caller; commits when `work` resolves, rolls back when it throws.
   * Costs a round trip for each step: use `run` where one statement will do.
   */
  async transaction<T>(
    caller: Caller,
    work: (run: Run) => Promise<T>,
    options: CallOptions = {},
  ): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    const send = async (statement: Statement): Promise<Reply> => {
      const exchange = new Exchange([statement], caller.role);
      client.query(exchange);
      const [reply] = await exchange.result;
      if (reply === undefined) throw new Error('The database answered without a result.');
      return reply;
    };
    try {
      await client.query('begin');
      await send(settingsStatement(caller, options));
      const result = await work(send);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }
}
