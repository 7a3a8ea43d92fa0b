import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../database/database.ts';
import { isRejected } from '../../../database/unavailable.ts';
import { Payloads } from './payloads.ts';
import type { Change, Relation } from './pgoutput.ts';
import type { Subscriptions } from './subscription-index.ts';
import { type Group, matchSubscriptions, type Push, type Subscriber } from './subscriptions.ts';
import { fillUnchanged, readTable, type Table } from './tables.ts';
import { readVisibility, type Visibility } from './visibility.ts';

const BATCH_SIZE = 200;
/** Maximum pause after a batch, see `#run`. */
const MAX_PAUSE_MS = 25;
/** No pause after a batch that took less. */
const FAST_MS = 2;
/** Queued changes above which the stream is paused until half of them are delivered. */
const MAX_QUEUED = 2_000;

export class Dispatcher {
  /** By table. */
  readonly #queues = new Map<number, Change[]>();
  readonly #running = new Set<Promise<void>>();
  #isClosed = false;
  #queued = 0;
  #pause: { promise: Promise<void>; end: () => void } | undefined;

  /** @param onFailure called when changes were lost because the database is unavailable */
  constructor(
    private readonly delivery: Delivery,
    private readonly onFailure: (error: unknown) => void,
  ) {}

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
        await deliverBatch(this.delivery, batch);
      } catch (error) {
        this.onFailure(error);
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

interface Delivery {
  database: Database;
  subscriptions: Subscriptions;
  log: FastifyBaseLogger;
}

/** Concurrent queries: most of the connections stay free for requests. */
const CONCURRENT_QUERIES = 2;
/** Groups per query: the first subscribers get their changes while the others are still being checked. */
const GROUPS_PER_QUERY = 100;

const tables = new WeakMap<Change['relation'], Promise<Table | undefined>>();

function tableOf(database: Database, { relation }: Change): Promise<Table | undefined> {
  const known = tables.get(relation);
  if (known !== undefined) return known;
  const read = readTable(database.owner, relation.schema, relation.name);
  tables.set(relation, read);
  read.catch(() => tables.delete(relation));
  return read;
}

function chunksOf<T>(list: T[], size: number): T[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, i) => list.slice(i * size, (i + 1) * size));
}

/**
 * Delivers a batch of one table's changes to the subscribers that asked for them and may read them.
 * @throws when the database is unavailable; if it rejects a query, the subscriber gets an error instead
 */
async function deliverBatch(delivery: Delivery, changes: Change[]): Promise<void> {
  const { database, subscriptions, log } = delivery;
  const [first] = changes;
  if (first === undefined) return;
  const listeners = subscriptions.of(first.relation, changes);
  if (listeners.length === 0) return;
  const table = await tableOf(database, first);
  if (table === undefined) return;
  await fillUnchanged(database.owner, table, changes);
  const batch = { callers: database.callers, log, table, changes };
  const groups = await matchSubscriptions(batch, listeners);
  const payloads = new Payloads(table, changes);
  await forEachLimited(chunksOf(groups, GROUPS_PER_QUERY), CONCURRENT_QUERIES, async (chunk) => {
    const results = await checkVisibility(delivery, table, changes, chunk);
    for (const [i, visibility] of results.entries()) {
      const group = chunk[i];
      if (group !== undefined) deliverToGroup(group, visibility, changes.length, payloads);
    }
  });
}

/** If the query for many groups fails, usually by its timeout, each group is checked alone: one policy may be slow. */
async function checkVisibility(
  { database, log }: Pick<Delivery, 'database' | 'log'>,
  table: Table,
  changes: Change[],
  groups: Group[],
): Promise<Visibility[]> {
  const callers = groups.map(({ caller }) => caller);
  try {
    return await readVisibility(database, callers, table, changes);
  } catch (error) {
    if (!isRejected(error)) throw error;
    log.warn({ err: error, table: table.sqlName }, 'could not check who may read changes');
    if (groups.length === 1) return [{ sqlState: error.code ?? '' }];
    const results: Visibility[] = [];
    for (const group of groups) {
      results.push(...(await checkVisibility({ database, log }, table, changes, [group])));
    }
    return results;
  }
}

function deliverToGroup(
  group: Group,
  visibility: Visibility,
  count: number,
  payloads: Payloads,
): void {
  const known = new Map<string, ReturnType<Payloads['forSubscription']>>();
  const deliveries = group.matches.flatMap(({ subscription, positions }) => {
    // The token was replaced in the meantime: what the old one may read does not apply to the new one.
    if (subscription.subscriber.rights.group !== group.key) return [];
    const key = `${subscription.selectKey} ${subscription.filterKey}`;
    if (!known.has(key)) known.set(key, payloads.forSubscription(visibility, subscription));
    const payloadAt = known.get(key);
    return payloadAt === undefined ? [] : [{ subscription, positions, payloadAt }];
  });
  const pushes = new Map<Subscriber, (Push & { position: number })[]>();
  for (let position = 0; position < count; position += 1) {
    for (const { subscription, positions, payloadAt } of deliveries) {
      const data = positions.has(position) ? payloadAt(position) : undefined;
      if (data === undefined) continue;
      const { subscriber, id } = subscription;
      const list = pushes.get(subscriber) ?? [];
      pushes.set(subscriber, list);
      const same = list.findLast((push) => push.position !== position || push.data === data);
      if (same?.position === position) same.ids.push(id);
      else list.push({ position, ids: [id], data });
    }
  }
  for (const [subscriber, list] of pushes) subscriber.deliver(list);
}

/**
 * Runs `work` for each item, at most `limit` at a time.
 * @throws the first failure, after the work in progress has ended
 */
async function forEachLimited<T>(
  items: T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const workers = Array.from({ length: Math.min(limit, items.length) }, async () => {
    for (const item of queue) await work(item);
  });
  const results = await Promise.allSettled(workers);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
