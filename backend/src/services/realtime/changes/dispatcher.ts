import { setTimeout as pause } from 'node:timers/promises';
import { type Delivery, deliverBatch } from './deliver-batch.ts';
import type { Change, Relation } from './pgoutput.ts';

const BATCH_SIZE = 200;
/** Maximum pause after a batch, see `#run`. */
const MAX_PAUSE_MS = 25;
/** No pause after a batch that took less. */
const FAST_MS = 2;
/** Queued changes above which the stream is paused until half of them are delivered. */
const MAX_QUEUED = 2_000;

/** Delivers changes to subscribers in batches, in order per table. */
export class Dispatcher {
  /** By table. */
  readonly #queues = new Map<number, Change[]>();
  readonly #delivery: Delivery;
  readonly #onFailure: (error: unknown) => void;
  readonly #running = new Set<Promise<void>>();
  #isClosed = false;
  #queued = 0;
  #pause: { promise: Promise<void>; end: () => void } | undefined;

  /** @param onFailure called when changes were lost because the database is unavailable */
  constructor(delivery: Delivery, onFailure: (error: unknown) => void) {
    this.#delivery = delivery;
    this.#onFailure = onFailure;
  }

  /** @returns when too many changes are queued, a promise that resolves when the stream may continue */
  add(change: Change): Promise<void> | undefined {
    const { oid } = change.relation;
    const queue = this.#queues.get(oid);
    if (queue === undefined) {
      const started = [change];
      this.#queues.set(oid, started);
      const run = this.#run(oid, started).finally(() => this.#running.delete(run));
      this.#running.add(run);
    } else queue.push(change);
    this.#queued += 1;
    if (this.#queued < MAX_QUEUED) return undefined;
    if (this.#pause === undefined) {
      let end = (): void => {};
      const promise = new Promise<void>((resolve) => {
        end = resolve;
      });
      this.#pause = { promise, end };
    }
    return this.#pause.promise;
  }

  /** Resolves when the batches in progress are delivered; queued changes are dropped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#running);
  }

  async #run(oid: number, queue: Change[]): Promise<void> {
    // Waits for the other changes of the same read.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0 && !this.#isClosed) {
      const batch = takeBatch(queue);
      const startedAt = performance.now();
      try {
        await deliverBatch(this.#delivery, batch);
      } catch (error) {
        this.#onFailure(error);
      }
      this.#done(batch.length);
      // Leaves half of the time to requests, and lets more changes accumulate for the next batch.
      const took = performance.now() - startedAt;
      if (took > FAST_MS) await pause(Math.min(took, MAX_PAUSE_MS));
    }
    this.#queues.delete(oid);
  }

  #done(count: number): void {
    this.#queued -= count;
    if (this.#queued > MAX_QUEUED / 2) return;
    this.#pause?.end();
    this.#pause = undefined;
  }
}

/** A batch ends where the table's definition changes. */
function takeBatch(queue: Change[]): Change[] {
  const relation: Relation | undefined = queue[0]?.relation;
  const end = queue.findIndex((change, i) => i >= BATCH_SIZE || change.relation !== relation);
  return queue.splice(0, end === -1 ? queue.length : end);
}
