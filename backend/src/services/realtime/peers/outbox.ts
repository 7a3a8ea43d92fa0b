// Writes messages for other processes to the database's log, in order, many with one commit.
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { WAITING_FOR_LOG_BYTES } from '../limits.ts';
import { PREFIX } from './envelope.ts';

/** Transactional, because only a commit makes PostgreSQL write its log out at once. */
const EMIT =
  'select pg_logical_emit_message(true, $1, message) from unnest($2::bytea[]) as message';

export class Outbox {
  readonly #owner: pg.Pool;
  readonly #log: FastifyBaseLogger;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #running: Promise<void> | undefined;

  constructor(owner: pg.Pool, log: FastifyBaseLogger) {
    this.#owner = owner;
    this.#log = log;
  }

  post(message: Buffer): void {
    if (this.#bytes + message.length > WAITING_FOR_LOG_BYTES) {
      this.#log.warn(
        'a message for other processes was dropped: the database takes them too slowly',
      );
      return;
    }
    this.#waiting.push(message);
    this.#bytes += message.length;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** @returns once everything posted is written, or could not be */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const messages = this.#waiting;
      this.#waiting = [];
      this.#bytes = 0;
      try {
        await this.#owner.query(EMIT, [PREFIX, messages]);
      } catch (error) {
        this.#log.warn({ err: error }, 'messages for other processes could not be written');
      }
    }
  }
}
