// Sends mails requested by rows of a table, after their commit. Failures are retried with growing delays for two days.
import type { FastifyBaseLogger } from 'fastify';
import type { Pool, QueryResultRow } from 'pg';
import { Rounds } from '../rounds.ts';

const LOOK_EVERY_MS = 2_000;
/** After a database error. */
const LOOK_AGAIN_MS = 30_000;
/** How long a mail being sent may delay the stop; after that the next process sends it again. */
const STOP_MS = 2_000;
const LAST_ATTEMPT = 16;

export interface Waiting<Row> {
  pool: Pool;
  /** Has the columns attempts, next_at and last_error, and an index on next_at. */
  table: string;
  /** Primary key column. */
  key: string;
  /** Columns to select and tables to join; `taken` is the table's row. */
  columns: string;
  join: string;
  /** @returns the file, if there is no SMTP server; @throws the SMTP error */
  send(row: Row): Promise<{ file?: string | undefined }>;
}

export class MailQueue<Row extends QueryResultRow> {
  readonly #statements: { take: string; done: string; failed: string };
  readonly #rounds: Rounds;

  constructor(
    private readonly waiting: Waiting<Row>,
    private readonly log: FastifyBaseLogger,
  ) {
    this.#statements = statementsOf(waiting);
    this.#rounds = new Rounds(() => this.#sendDue(), {
      everyMs: LOOK_EVERY_MS,
      afterErrorMs: LOOK_AGAIN_MS,
      stopMs: STOP_MS,
      onError: (error) => log.warn({ err: error, table: waiting.table }, 'mails not looked for'),
    });
  }

  start(): void {
    this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async #sendDue(): Promise<void> {
    const { rows } = await this.waiting.pool.query<Row & { queue_key: string }>(
      this.#statements.take,
    );
    for (const row of rows) {
      if (this.#rounds.isStopped) return;
      await this.#send(row.queue_key, row);
    }
  }

  async #send(key: string, row: Row): Promise<void> {
    const { pool, table, send } = this.waiting;
    try {
      const { file } = await send(row);
      if (file !== undefined) this.log.info({ file, table }, 'mail written to the outbox');
      await pool.query(this.#statements.done, [key]);
    } catch (error) {
      if (this.#rounds.isStopped) return;
      this.log.error({ err: error, table, key }, 'not mailed; tried again later');
      await pool.query(this.#statements.failed, [key, String(error).slice(0, 500)]);
    }
  }
}

/** `skip locked` shares the work between processes; `next_at` hides a taken row until it is due again. */
function statementsOf({ table, key, columns, join }: Waiting<never>) {
  return {
    take: `
      with due as (
        select ${key} from ${table} where next_at <= now() order by next_at limit 5 for update skip locked
      ), taken as (
        update ${table} m
        set attempts = m.attempts + 1,
            next_at = now() + least(interval '6 hours', interval '1 minute' * 2 ^ m.attempts)
        from due where m.${key} = due.${key}
        returning m.*
      )
      select taken.${key} as queue_key, ${columns} from taken ${join}`,
    done: `delete from ${table} where ${key} = $1`,
    failed: `
      update ${table}
      set last_error = $2, next_at = case when attempts < ${LAST_ATTEMPT} then next_at end
      where ${key} = $1`,
  };
}
