import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { MAX_QUEUED_PEER_BYTES } from '../limits.ts';
import { PREFIX } from './messages.ts';

/** Transactional, because only a commit flushes the WAL at once. */
const EMIT =
  'select pg_logical_emit_message(true, $1, message) from unnest($2::bytea[]) as message';

/** Writes messages for other processes to the WAL in order, many with one commit. */
export class WalWriter {
  readonly #owner: pg.Pool;
  readonly #log: FastifyBaseLogger;
  #queue: Buffer[] = [];
  #bytes = 0;
  #running: Promise<void> | undefined;

  constructor(owner: pg.Pool, log: FastifyBaseLogger) {
    this.#owner = owner;
    this.#log = log;
  }

  write(message: Buffer): void {
    if (this.#bytes + message.length > MAX_QUEUED_PEER_BYTES) {
      this.#log.warn('a message for other processes was dropped: the queue is full');
      return;
    }
    this.#queue.push(message);
    this.#bytes += message.length;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when all messages were written or have failed. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      const messages = this.#queue;
      this.#queue = [];
      this.#bytes = 0;
      try {
        await this.#owner.query(EMIT, [PREFIX, messages]);
      } catch (error) {
        this.#log.warn({ err: error }, 'could not write messages for other processes');
      }
    }
  }
}
