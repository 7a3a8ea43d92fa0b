import { problemsFor } from '#shared/roster/problems.ts';
import type { Problem } from './roster-moves.ts';
import type { RosterStore } from './roster-store.ts';
import { guardTotals } from './roster-totals.ts';

export type Candidate = {
  userId: string;
  name: string;
  /** Best first. */
  reasons: string[];
  problems: Problem[];
  isOverridable: boolean;
};

/** Nobody can override these. */
const ABSOLUTE = new Set([
  'overlap',
  'ban',
  'gender',
  'inactive',
  'target',
  'shift',
  'full',
  'past',
  'clocked',
  'gone',
]);

/** Whether a reason is enough for the database; very short rests are refused there too. */
export const isOverridable = (
  store: RosterStore,
  problems: readonly { rule: string; message: string }[],
) =>
  problems.every(
    ({ rule, message }) =>
      !ABSOLUTE.has(rule) &&
      (rule !== 'rest' || Number.parseFloat(message) >= store.input.rules.min_rest_override_hours),
  );

export function candidatesFor(store: RosterStore, shiftId: string | undefined): Candidate[] {
  const { input, index, effective } = store;
  const shift = shiftId === undefined ? undefined : index.shifts.get(shiftId);
  const rated = input.people.map((person) => {
    const { hours } = guardTotals(store, person.id);
    const problems =
      shift && shiftId !== undefined && !effective.peopleOn(shiftId).has(person.id)
        ? problemsFor(input, effective, person.id, shiftId).map((problem) => ({
            ...problem,
            shiftId,
            userId: person.id,
          }))
        : [];
    const known = shift ? (person.known[shift.site_id] ?? 0) : 0;
    return { person, hours, problems, known };
  });
  return rated
    .filter(({ person }) => shiftId === undefined || !effective.peopleOn(shiftId).has(person.id))
    .sort(
      (a, b) =>
        Math.min(a.problems.length, 1) - Math.min(b.problems.length, 1) ||
        Number(b.known > 0) - Number(a.known > 0) ||
        a.hours - b.hours,
    )
    .map(({ person, hours, problems, known }) => ({
      userId: person.id,
      name: person.name,
      reasons: [
        `${Math.round(hours)} h on the board`,
        ...(known > 0 ? [`knows the site (${known} shifts)`] : []),
      ],
      problems,
      isOverridable: isOverridable(store, problems),
    }));
}
