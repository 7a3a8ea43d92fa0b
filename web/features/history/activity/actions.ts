import { type Entry, MACHINE_TABLES, type Subject } from './schema.ts';
import { sentenceOf } from './sentences.ts';

/** What one action did: its leading entry, and those that it caused. */
export type ActivityAction = { id: string; main: Entry; caused: Entry[]; sentence: string };

/** Longest time between two entries of one transaction that are grouped. */
export const MOST_MS = 10 * 60_000;

const isMachine = ({ table_name }: Entry) => MACHINE_TABLES.some((name) => name === table_name);

const belongs = (entry: Entry, to: Entry) =>
  entry.cause !== null &&
  entry.cause === to.cause &&
  entry.actor_id === to.actor_id &&
  Math.abs(Date.parse(entry.at) - Date.parse(to.at)) <= MOST_MS;

/** What follows from, or is noted beside, something that was done. */
const BESIDE = ['alerts', 'clock_events', 'replacement_calls'];

/** A moved shift moves its assignments: the shift leads. Otherwise the first that was written, and no alert that it closed. */
function leadOf(entries: readonly Entry[]): Entry | undefined {
  const own = entries.filter((entry) => !isMachine(entry));
  const oldestFirst = (own.length > 0 ? own : [...entries]).toReversed();
  return (
    oldestFirst.find(({ table_name }) => table_name === 'shifts') ??
    oldestFirst.find(({ table_name }) => !BESIDE.includes(table_name)) ??
    oldestFirst[0]
  );
}

export function toAction(
  entries: readonly Entry[],
  subjects: ReadonlyMap<string, Subject>,
): ActivityAction | undefined {
  const main = leadOf(entries);
  if (!main) return undefined;
  const people = entries
    .filter(({ table_name }) => table_name === 'assignments')
    .map(({ id }) => subjects.get(id)?.person);
  const guard = new Set(people).size === 1 ? people[0] : undefined;
  return {
    id: main.id,
    main,
    caused: entries.filter((entry) => entry !== main),
    sentence: sentenceOf(main, subjects.get(main.id), guard),
  };
}

/** @param entries newest first */
export function groupActions(
  entries: readonly Entry[],
  subjects: ReadonlyMap<string, Subject>,
): ActivityAction[] {
  const groups: Entry[][] = [];
  for (const entry of entries) {
    const group = groups.find(([first]) => first && belongs(entry, first));
    if (group) group.push(entry);
    else groups.push([entry]);
  }
  return groups.flatMap((group) => toAction(group, subjects) ?? []);
}
