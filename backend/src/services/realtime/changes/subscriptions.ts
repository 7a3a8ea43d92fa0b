import type { FastifyBaseLogger } from 'fastify';
import type { Caller, Callers } from '../../../database/callers.ts';
import { isRejected } from '../../../database/unavailable.ts';
import { type Condition, FilterError, matchFilter } from './filter.ts';
import type { Change, ChangeType } from './pgoutput.ts';
import type { Table } from './tables.ts';

export interface Subscriber {
  /** Current role and claims; replaced with a refreshed token. */
  readonly rights: Rights;
  /** Called in commit order. */
  deliver(pushes: Push[]): void;
}

export interface Push {
  /** The matching bindings. */
  ids: number[];
  /** The push's `data` as JSON in UTF-8, shared by all subscribers that get the same. */
  data: Buffer;
}

export interface Rights {
  caller: Caller;
  /** Equal for tokens with equal rights: role and claims without those that change at each refresh. */
  group: string;
}

export interface Subscription {
  subscriber: Subscriber;
  /** Identifies the binding for the client; never 0. */
  id: number;
  event: ChangeType | '*';
  schema: string;
  /** `*` means every table of the schema. */
  table: string;
  filter: Condition[];
  /** Equal for equal filters; empty without a filter. */
  filterKey: string;
  select: string[] | undefined;
  /** Equal for equal selections. */
  selectKey: string;
  /** Position in the WAL before which changes are not delivered; undefined until it has joined. */
  since: bigint | undefined;
}

/** A subscription and the positions of the changes that it asked for. */
interface Match {
  subscription: Subscription;
  positions: ReadonlySet<number>;
}

/** Subscribers with equal rights. */
export interface Group {
  caller: Caller;
  /** Their `Rights.group`. */
  key: string;
  matches: Match[];
}

interface Batch {
  callers: Callers;
  log: FastifyBaseLogger;
  table: Table;
  changes: Change[];
}

/**
 * Matches changes with subscriptions by event, position in the WAL, and filter. Evaluated once for all subscriptions that
 * ask for the same.
 * @returns groups with at least one match, sorted by role
 */
export async function matchSubscriptions(
  batch: Batch,
  subscriptions: Subscription[],
): Promise<Group[]> {
  const known = new Map<string, ReadonlySet<number>>();
  const groups = new Map<string, Group>();
  for (const subscription of subscriptions) {
    const { caller, group: key } = subscription.subscriber.rights;
    const { event, filterKey, since } = subscription;
    if (since === undefined) continue;
    const cacheKey = `${event} ${filterKey === '' ? '' : caller.role} ${filterKey}`;
    let matching = known.get(cacheKey);
    if (matching === undefined) {
      matching = await positionsFor(batch, caller, subscription);
      known.set(cacheKey, matching);
    }
    const positions = committedSince(batch.changes, matching, since);
    if (positions.size === 0) continue;
    const group = groups.get(key) ?? { caller, key, matches: [] };
    groups.set(key, group);
    group.matches.push({ subscription, positions });
  }
  return [...groups.values()].sort((a, b) => a.caller.role.localeCompare(b.caller.role));
}

/** Filters only for subscriptions that have just joined; for others all changes are newer. */
function committedSince(
  changes: Change[],
  positions: ReadonlySet<number>,
  since: bigint,
): ReadonlySet<number> {
  const isOlder = (i: number): boolean => (changes[i]?.lsn ?? 0n) < since;
  if (!isOlder(0)) return positions;
  return new Set([...positions].filter((i) => !isOlder(i)));
}

async function positionsFor(
  { callers, log, table, changes }: Batch,
  caller: Caller,
  { event, filter }: Subscription,
): Promise<ReadonlySet<number>> {
  const ofEvent = changes.flatMap(({ type }, i) => (event === '*' || event === type ? [i] : []));
  if (filter.length === 0 || ofEvent.length === 0) return new Set(ofEvent);
  try {
    const passed = await matchFilter(callers, caller, filter, table, changes);
    return new Set(ofEvent.filter((i) => passed.has(i)));
  } catch (error) {
    if (!(error instanceof FilterError) && !isRejected(error)) throw error;
    // The table was altered since the filter was checked at joining.
    log.warn({ err: error, table: table.sqlName }, 'could not apply a filter');
    return new Set();
  }
}
