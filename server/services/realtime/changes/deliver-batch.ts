// One batch of one table's changes: which filters they pass, who may read them, and what each subscriber is sent.
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../database/database.ts';
import { fillUnchanged } from './fill-unchanged.ts';
import { FilterError } from './filter.ts';
import { matchFilter } from './filter-match.ts';
import { inTurn } from './in-turn.ts';
import { payloadText, refusalText } from './payload.ts';
import type { Change } from './pgoutput.ts';
import { isRefused } from './refused.ts';
import type { Subscriber, Subscription, Subscriptions } from './subscriptions.ts';
import { readTable, type Table } from './tables.ts';
import { readVisibility, type Visibility } from './visibility.ts';

export interface Delivery {
  database: Database;
  subscriptions: Subscriptions;
  log: FastifyBaseLogger;
}

/** Questions to the database at once: most of the pool stays free for requests. */
const QUESTIONS = 3;
const NO_PRIMARY_KEY = 'Error 400: Bad Request, no primary key';
const UNAUTHORIZED = 'Error 401: Unauthorized';
const UNREADABLE = 'Error 500: The row could not be checked';

/** A subscription and the positions of the changes that it asked for. */
interface Wish {
  subscription: Subscription;
  positions: Set<number>;
}

const tables = new WeakMap<Change['relation'], Promise<Table | undefined>>();

function tableOf(database: Database, { relation }: Change): Promise<Table | undefined> {
  const known = tables.get(relation);
  if (known !== undefined) return known;
  const read = readTable(database.owner, relation.schema, relation.name);
  tables.set(relation, read);
  read.catch(() => tables.delete(relation));
  return read;
}

/** @throws what the database says when it is away; a question that it refuses is answered to the subscriber instead */
export async function deliverBatch(delivery: Delivery, changes: Change[]): Promise<void> {
  const { database, subscriptions } = delivery;
  const [first] = changes;
  if (first === undefined) return;
  const listeners = subscriptions.of(first.relation);
  if (listeners.length === 0) return;
  const table = await tableOf(database, first);
  if (table === undefined) return;
  await fillUnchanged(database.owner, table, changes);

  const groups = new Map<string, Wish[]>();
  const filtered = new Map<string, Set<number>>();
  for (const subscription of listeners) {
    const positions = await wishOf(delivery, subscription, table, changes, filtered);
    if (positions.size === 0) continue;
    const { group } = subscription.subscriber.rights;
    const wishes = groups.get(group) ?? [];
    groups.set(group, wishes);
    wishes.push({ subscription, positions });
  }
  const texts = new Map<string, string>();
  await inTurn([...groups.values()], QUESTIONS, (wishes) =>
    deliverToGroup(delivery, table, changes, wishes, texts),
  );
}

async function wishOf(
  { database, log }: Delivery,
  subscription: Subscription,
  table: Table,
  changes: Change[],
  filtered: Map<string, Set<number>>,
): Promise<Set<number>> {
  const { event, filter, subscriber, since } = subscription;
  const wanted = changes.flatMap(({ type, lsn }, i) =>
    since !== undefined && lsn >= since && (event === '*' || event === type) ? [i] : [],
  );
  if (filter.length === 0 || wanted.length === 0) return new Set(wanted);
  const { caller } = subscriber.rights;
  const key = JSON.stringify([caller.role, filter]);
  let passed = filtered.get(key);
  if (passed === undefined) {
    try {
      passed = await matchFilter(database.callers, caller, filter, table, changes);
    } catch (error) {
      if (!(error instanceof FilterError) && !isRefused(error)) throw error;
      // A filter that was good at joining no longer fits the table.
      log.warn({ err: error, table: table.sqlName }, 'a filter could not be applied');
      passed = new Set();
    }
    filtered.set(key, passed);
  }
  const hits = passed;
  return new Set(wanted.filter((i) => hits.has(i)));
}

type Answer = { visibility: Visibility } | { refusal: string } | undefined;

async function ask(
  { database, log }: Delivery,
  table: Table,
  changes: Change[],
  { subscription }: Wish,
): Promise<Answer> {
  const { caller } = subscription.subscriber.rights;
  try {
    const visibility = await readVisibility(database.callers, caller, table, changes);
    return visibility && { visibility };
  } catch (error) {
    if (!isRefused(error)) throw error;
    if (error.code === '42501') return { refusal: UNAUTHORIZED };
    log.warn({ err: error, table: table.sqlName }, 'a change could not be checked for a reader');
    return { refusal: UNREADABLE };
  }
}

async function deliverToGroup(
  delivery: Delivery,
  table: Table,
  changes: Change[],
  wishes: Wish[],
  texts: Map<string, string>,
): Promise<void> {
  const [one] = wishes;
  if (one === undefined) return;
  const wanted = changes.flatMap((change, i) =>
    wishes.some(({ positions }) => positions.has(i)) ? [{ change, i }] : [],
  );
  const asked = wanted.map(({ change }) => change);
  const { group } = one.subscription.subscriber.rights;
  const answer = await ask(delivery, table, asked, one);
  if (answer === undefined) return;

  for (const [position, { change, i }] of wanted.entries()) {
    const bySubscriber = new Map<Subscriber, Map<string, number[]>>();
    for (const { subscription, positions } of wishes) {
      // A token that was replaced meanwhile: what the old one could read says nothing about the new.
      const isSame = subscription.subscriber.rights.group === group;
      if (!positions.has(i) || !isSame) continue;
      const text = textFor(table, change, position, answer, subscription, (key, make) => {
        const known = texts.get(`${i} ${key}`) ?? make();
        texts.set(`${i} ${key}`, known);
        return known;
      });
      if (text === undefined) continue;
      const byText = bySubscriber.get(subscription.subscriber) ?? new Map<string, number[]>();
      bySubscriber.set(subscription.subscriber, byText);
      byText.set(text, [...(byText.get(text) ?? []), subscription.id]);
    }
    for (const [subscriber, byText] of bySubscriber) {
      for (const [text, ids] of byText) subscriber.deliver(ids, text);
    }
  }
}

/** @returns undefined where the subscriber must not learn of the change */
function textFor(
  table: Table,
  change: Change,
  position: number,
  answer: NonNullable<Answer>,
  { filter, select }: Subscription,
  shared: (key: string, make: () => string) => string,
): string | undefined {
  const isDelete = change.type === 'DELETE';
  const refuse = (reason: string): string | undefined =>
    isDelete ? undefined : shared(reason, () => refusalText(change, reason));
  if ('refusal' in answer) return refuse(answer.refusal);
  const { columns, isSecured, rows } = answer.visibility;
  if (!isDelete && table.primaryKey.length === 0) return refuse(NO_PRIMARY_KEY);
  if (!table.primaryKey.every(({ name }) => columns.includes(name)) || columns.length === 0) {
    return refuse(UNAUTHORIZED);
  }
  // A filter on a column that the role may not read would tell its values one by one.
  if (!filter.every(({ column }) => columns.includes(column))) return undefined;
  if (!isDelete && !rows.has(position)) return undefined;
  const view = { columns, isSecured, select };
  return shared(JSON.stringify(view), () => payloadText(change, table, view));
}
