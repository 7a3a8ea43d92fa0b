// One batch of one table's changes: who asked for them, who may read them, and what each subscriber is sent.
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../database/database.ts';
import { fillUnchanged } from './fill-unchanged.ts';
import { inTurn } from './in-turn.ts';
import type { Change } from './pgoutput.ts';
import { isRefused } from './refused.ts';
import type { Push, Subscriber, Subscriptions } from './subscriptions.ts';
import { readTable, type Table } from './tables.ts';
import { Texts } from './texts.ts';
import { type Answer, readVisibility } from './visibility.ts';
import { type Group, groupsOf } from './wishes.ts';

export interface Delivery {
  database: Database;
  subscriptions: Subscriptions;
  log: FastifyBaseLogger;
}

/** Questions to the database at once: most of the pool, and of its processors, stays free for requests. */
const QUESTIONS = 2;
/** Groups of one question: the first subscribers hear while the others are still being asked about. */
const GROUPS = 100;

const tables = new WeakMap<Change['relation'], Promise<Table | undefined>>();

function tableOf(database: Database, { relation }: Change): Promise<Table | undefined> {
  const known = tables.get(relation);
  if (known !== undefined) return known;
  const read = readTable(database.owner, relation.schema, relation.name);
  tables.set(relation, read);
  read.catch(() => tables.delete(relation));
  return read;
}

function inParts<T>(list: T[], size: number): T[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, i) => list.slice(i * size, (i + 1) * size));
}

/** @throws what the database says when it is away; a question that it refuses is answered to the subscriber instead */
export async function deliverBatch(delivery: Delivery, changes: Change[]): Promise<void> {
  const { database, subscriptions, log } = delivery;
  const [first] = changes;
  if (first === undefined) return;
  const listeners = subscriptions.of(first.relation);
  if (listeners.length === 0) return;
  const table = await tableOf(database, first);
  if (table === undefined) return;
  await fillUnchanged(database.owner, table, changes);
  const groups = await groupsOf({ callers: database.callers, log, table, changes }, listeners);
  const texts = new Texts(table, changes);
  await inTurn(inParts(groups, GROUPS), QUESTIONS, async (part) => {
    const answers = await ask(delivery, table, changes, part);
    for (const [i, answer] of answers.entries()) {
      const group = part[i];
      if (group !== undefined) deliverToGroup(group, answer, changes.length, texts);
    }
  });
}

/** A question for many that fails as a whole, by its time limit above all, is put for each alone: one's policy may be slow. */
async function ask(
  { database, log }: Delivery,
  table: Table,
  changes: Change[],
  groups: Group[],
): Promise<Answer[]> {
  const answers = async (some: Group[]): Promise<Answer[]> => {
    const callers = some.map(({ caller }) => caller);
    try {
      return await readVisibility(database, callers, table, changes);
    } catch (error) {
      if (!isRefused(error)) throw error;
      log.warn({ err: error, table: table.sqlName }, 'changes could not be checked for a reader');
      if (some.length === 1) return [{ refusal: error.code ?? '' }];
      const each: Answer[] = [];
      for (const one of some) each.push(...(await answers([one])));
      return each;
    }
  };
  return await answers(groups);
}

function deliverToGroup(group: Group, answer: Answer, count: number, texts: Texts): void {
  const known = new Map<string, ReturnType<Texts['viewOf']>>();
  const views = group.wishes.flatMap(({ subscription, positions }) => {
    // A token that was replaced meanwhile: what the old one could read says nothing about the new.
    if (subscription.subscriber.rights.group !== group.key) return [];
    const key = `${subscription.selectKey} ${subscription.filterKey}`;
    if (!known.has(key)) known.set(key, texts.viewOf(answer, subscription));
    const textOf = known.get(key);
    return textOf === undefined ? [] : [{ subscription, positions, textOf }];
  });
  const pushes = new Map<Subscriber, (Push & { position: number })[]>();
  for (let position = 0; position < count; position += 1) {
    for (const { subscription, positions, textOf } of views) {
      const data = positions.has(position) ? textOf(position) : undefined;
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
