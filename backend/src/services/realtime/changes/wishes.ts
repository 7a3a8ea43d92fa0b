// Which of some changes each subscription asked for: by event, place in the log, and filter.
// Worked out once for all subscriptions that ask the same, however many there are.
import type { FastifyBaseLogger } from 'fastify';
import type { Caller, Callers } from '../../../database/callers.ts';
import { FilterError } from './filter.ts';
import { matchFilter } from './filter-match.ts';
import type { Change } from './pgoutput.ts';
import { isRefused } from './refused.ts';
import type { Subscription } from './subscriptions.ts';
import type { Table } from './tables.ts';

/** A subscription and the positions of the changes that it asked for, at least one. */
export interface Wish {
  subscription: Subscription;
  positions: ReadonlySet<number>;
}

/** Subscribers with equal rights. */
export interface Group {
  caller: Caller;
  /** Their `Rights.group`. */
  key: string;
  wishes: Wish[];
}

interface Batch {
  callers: Callers;
  log: FastifyBaseLogger;
  table: Table;
  changes: Change[];
}

/** @returns groups that want something, equal roles side by side */
export async function groupsOf(batch: Batch, listeners: Subscription[]): Promise<Group[]> {
  const known = new Map<string, ReadonlySet<number>>();
  const groups = new Map<string, Group>();
  for (const subscription of listeners) {
    const { caller, group: key } = subscription.subscriber.rights;
    const { event, filterKey, since } = subscription;
    if (since === undefined) continue;
    const question = `${event} ${filterKey === '' ? '' : caller.role} ${filterKey}`;
    let asked = known.get(question);
    if (asked === undefined) {
      asked = await positionsFor(batch, caller, subscription);
      known.set(question, asked);
    }
    const positions = later(batch.changes, asked, since);
    if (positions.size === 0) continue;
    const group = groups.get(key) ?? { caller, key, wishes: [] };
    groups.set(key, group);
    group.wishes.push({ subscription, positions });
  }
  return [...groups.values()].sort((a, b) => a.caller.role.localeCompare(b.caller.role));
}

/** Only who joined a moment ago must be kept from older changes. */
function later(
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
    if (!(error instanceof FilterError) && !isRefused(error)) throw error;
    // A filter that was good at joining no longer fits the table.
    log.warn({ err: error, table: table.sqlName }, 'a filter could not be applied');
    return new Set();
  }
}
