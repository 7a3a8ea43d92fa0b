import { rankGuards } from '#shared/roster/rank.ts';
import { unfilledReason } from '#shared/roster/unfilled-reason.ts';
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

const isFree = ({ problems }: Candidate) => problems.length === 0;

/** What keeps the guards from the shift, when none is free. */
export function describeObstacles({ input, effective }: RosterStore, shiftId: string): string {
  const shift = input.shifts.find(({ id }) => id === shiftId);
  return shift ? unfilledReason(input, effective, shift) : '';
}

/** Best first: for a shift by the rules and wishes, those who ask for it before the others, otherwise those with the fewest hours. */
export function candidatesFor(store: RosterStore, shiftId: string | undefined): Candidate[] {
  const { input, effective } = store;
  if (shiftId !== undefined) {
    const asking = new Set(store.notes.bidsFor(shiftId));
    const ranked = rankGuards(input, effective, shiftId).map(
      ({ personId, name, reasons, problems }) => ({
        userId: personId,
        name,
        reasons: asking.has(personId) ? ['Asks for this shift', ...reasons] : reasons,
        problems: problems.map((problem) => ({ ...problem, shiftId, userId: personId })),
      }),
    );
    const first = ranked.filter((each) => asking.has(each.userId) && isFree(each));
    return [...first, ...ranked.filter((each) => !first.includes(each))];
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
