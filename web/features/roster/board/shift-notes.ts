// What is known about an open seat: who asks for its shift, and why the last filling left it open.
import type { RosterInput } from '#shared/roster/input.ts';
import type { RosterResult } from '#shared/roster/roster-result.ts';

type Bids = RosterInput['bids'];

function byShift(bids: Bids = []): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { shift_id, user_id } of bids) {
    found.set(shift_id, [...(found.get(shift_id) ?? []), user_id]);
  }
  return found;
}

export type ShiftNotes = ReturnType<typeof createShiftNotes>;

/**
 * @param touch called with each shift whose notes have changed
 * @param before of the same days, before they were loaded again
 */
export function createShiftNotes(
  initial: Bids,
  touch: (shiftId: string) => void,
  before?: { leftOpen: () => ReadonlyMap<string, string> },
) {
  let bids = byShift(initial);
  let leftOpen = new Map(before?.leftOpen());
  return {
    /** Guards who ask for the shift, the first to ask first. */
    bidsFor: (shiftId: string): readonly string[] => bids.get(shiftId) ?? [],
    setBids(next: Bids) {
      const earlier = bids;
      bids = byShift(next);
      for (const id of new Set([...earlier.keys(), ...bids.keys()])) {
        if (earlier.get(id)?.join() !== bids.get(id)?.join()) touch(id);
      }
    },
    leftOpen: (): ReadonlyMap<string, string> => leftOpen,
    /** Why the last filling left a seat of the shift open. */
    whyOpen: (shiftId: string): string | undefined => leftOpen.get(shiftId),
    /** @param unfilled of the last filling, in place of those of the one before */
    setLeftOpen(unfilled: RosterResult['unfilled']) {
      const earlier = leftOpen;
      leftOpen = new Map(unfilled.map(({ shift_id, reason }) => [shift_id, reason]));
      for (const id of new Set([...earlier.keys(), ...leftOpen.keys()])) touch(id);
    },
    /** After an edit the reason may be another. */
    forgetWhy: (shiftId: string) => leftOpen.delete(shiftId),
  };
}
