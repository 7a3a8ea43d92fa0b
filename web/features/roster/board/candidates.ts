import { rankGuards } from '#shared/roster/rank.ts';
import type { Problem } from './roster-moves.ts';
import type { RosterStore } from './roster-store.ts';
import { guardTotals } from './roster-totals.ts';

export type Candidate = {
  userId: string;
  name: string;
  /** Best first. */
  reasons: string[];
  problems: Problem[];
};

/** Best first: for a shift by the rules and wishes, otherwise those with the fewest hours. */
export function candidatesFor(store: RosterStore, shiftId: string | undefined): Candidate[] {
  const { input, effective } = store;
  if (shiftId !== undefined) {
    return rankGuards(input, effective, shiftId).map(({ personId, name, reasons, problems }) => ({
      userId: personId,
      name,
      reasons,
      problems: problems.map((problem) => ({ ...problem, shiftId, userId: personId })),
    }));
  }
  return input.people
    .map(({ id, name }) => ({ id, name, hours: guardTotals(store, id).hours }))
    .sort((a, b) => a.hours - b.hours || a.name.localeCompare(b.name))
    .map(({ id, name, hours }) => ({
      userId: id,
      name,
      reasons: [`${Math.round(hours)} h on the board`],
      problems: [],
    }));
}
