// Takes changes off the stream and brings each to the subscribers that may read it, in order per table.
// A table's changes are handled in batches: one question per group of equal callers, however many rows and sockets.
import { setTimeout as pause } from 'node:timers/promises';
import { type Delivery, deliverBatch } from './deliver-batch.ts';
import type { Change, Relation } from './pgoutput.ts';

/** Changes of one table that are checked together. */
const BATCH = 200;
/** Milliseconds that a batch is followed by at most, see `#run`. */
const LONGEST_PAUSE_MS = 25;
/** A batch below needs none. */
const QUICK_MS = 2;
/** Changes that may wait; beyond, the stream is not read on until half of them are done. */
const WAITING = 2_000;

export class Dispatcher {
  readonly #lanes = new Map<number, Change[]>();
  readonly #delivery: Delivery;
  readonly #onFailure: (error: unknown) => void;
  readonly #running = new Set<Promise<void>>();
  #isClosed = false;
  #waiting = 0;
  #room: { promise: Promise<void>; open: () => void } | undefined;

  /** @param onFailure told when changes were lost because the database went away */
  constructor(delivery: Delivery, onFailure: (error: unknown) => void) {
    this.#delivery = delivery;
    this.#onFailure = onFailure;
  }

  /** @returns a promise while too much is waiting: the caller reads on when it resolves */
  add(change: Change): Promise<void> | undefined {
    const { oid } = change.relation;
    const lane = this.#lanes.get(oid);
    if (lane === undefined) {
      const started = [change];
      this.#lanes.set(oid, started);
      const run = this.#run(oid, started).finally(() => this.#running.delete(run));
      this.#running.add(run);
    } else lane.push(change);
    this.#waiting += 1;
    if (this.#waiting < WAITING) return undefined;
    if (this.#room === undefined) {
      let open = (): void => {};
      const promise = new Promise<void>((resolve) => {
        open = resolve;
      });
      this.#room = { promise, open };
    }
    return this.#room.promise;
  }

  /** @returns once nothing is under way any more; what still waits is not delivered */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#running);
  }

  async #run(oid: number, lane: Change[]): Promise<void> {
    // Changes that came in the same read are one batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (lane.length > 0 && !this.#isClosed) {
      const batch = takeBatch(lane);
      const begun = performance.now();
      try {
        await deliverBatch(this.#delivery, batch);
      } catch (error) {
        this.#onFailure(error);
      }
      this.#done(batch.length);
      // As long as it took: the processor belongs to requests half of the time, and more changes become one batch.
      const took = performance.now() - begun;
      if (took > QUICK_MS) await pause(Math.min(took, LONGEST_PAUSE_MS));
    }
    this.#lanes.delete(oid);
  }

  #done(count: number): void {
    this.#waiting -= count;
    if (this.#waiting > WAITING / 2) return;
    this.#room?.open();
    this.#room = undefined;
  }
}

/** A batch holds one definition of the table: columns may have changed between two changes. */
function takeBatch(lane: Change[]): Change[] {
  const relation: Relation | undefined = lane[0]?.relation;
  const end = lane.findIndex((change, i) => i >= BATCH || change.relation !== relation);
  return lane.splice(0, end === -1 ? lane.length : end);
}
