// The planner's week: read the board, fill it with the engine, save the moves, publish.
import { fillRoster } from '#shared/roster/engine.ts';
import { type RosterInput, rosterBoardSchema } from '#shared/roster/input.ts';
import { addDays } from './clock.ts';
import { accepted, Refused } from './door.ts';
import type { World } from './world.ts';

/** A second of the engine in a browser makes more. */
const STEPS = 20_000;

/**
 * The engine breaks ties by the order and the ids of what it gets, and the database makes ids at random: a seed gets the same
 * roster only with names for ids.
 */
function withNames(input: RosterInput, nameOfPerson: (id: string) => string) {
  const names = new Map<string, string>();
  const siteNames = new Map(input.sites.map(({ id, name }) => [id, name]));
  const postNames = new Map(input.posts.map(({ id, name }) => [id, name]));
  for (const shift of input.shifts) {
    const { id, site_id, post_id, start } = shift;
    names.set(id, `${siteNames.get(site_id)} ${postNames.get(post_id ?? '')} ${start}`);
  }
  for (const { id } of input.people) names.set(id, nameOfPerson(id));
  for (const [id, name] of [...siteNames, ...postNames]) names.set(id, name);
  const ids = new Map([...names].map(([id, name]) => [name, id]));
  if (ids.size !== names.size) throw new Error('Two things on the board have one name.');
  const text = JSON.stringify(input).replaceAll(
    /"([0-9a-f]{8}-[0-9a-f-]{27})"/g,
    (whole, id: string) => (names.has(id) ? JSON.stringify(names.get(id)) : whole),
  );
  const named = rosterBoardSchema.parse(JSON.parse(text));
  const key = ({ id }: { id: string }) => id;
  const byKey = <Item extends { id: string }>(list: Item[]) =>
    list.toSorted((a, b) => key(a).localeCompare(key(b)));
  const pairKey = (pair: { shift_id: string; user_id: string }) =>
    `${pair.shift_id} ${pair.user_id}`;
  const byPair = <Item extends { shift_id: string; user_id: string }>(list: Item[]) =>
    list.toSorted((a, b) => pairKey(a).localeCompare(pairKey(b)));
  return {
    ids,
    input: {
      ...named,
      sites: byKey(named.sites),
      posts: byKey(named.posts),
      shifts: byKey(named.shifts),
      people: byKey(named.people),
      assignments: byPair(named.assignments),
      changes: byPair(named.changes),
      pins: byPair(named.pins),
    },
  };
}

/** @param from a Monday @returns what came of it */
export async function planWeek(world: World, from: string): Promise<string> {
  const { operations, guards } = world.company;
  const span = { p_from: from, p_to: addDays(from, 6) };
  const { data } = accepted(await operations.client.rpc('roster_board', span));
  const numbers = new Map(
    guards.map(({ id, number }) => [id, `guard ${String(number).padStart(3, '0')}`]),
  );
  const board = rosterBoardSchema.parse(data);
  const { input, ids } = withNames(
    board,
    (id) => numbers.get(id) ?? `other ${board.people.find((person) => person.id === id)?.name}`,
  );
  const { assign, unassign } = fillRoster(input, {
    mode: 'fill',
    seed: world.size.seed,
    used: (steps) => steps / STEPS,
    now: Math.floor(world.agenda.now / 60_000),
  });
  const change =
    (what: 'assign' | 'unassign') => (pair: { shift_id: string; user_id: string }) => ({
      shift_id: ids.get(pair.shift_id) ?? '',
      user_id: ids.get(pair.user_id) ?? '',
      change: what,
    });
  const p_changes = [...unassign.map(change('unassign')), ...assign.map(change('assign'))];
  if (p_changes.length > 0) accepted(await operations.client.rpc('apply_roster', { p_changes }));
  try {
    accepted(await operations.client.rpc('publish_roster', span));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return `refused: ${error.message}`;
  }
  return `${assign.length} seats of ${input.shifts.length} shifts filled`;
}
