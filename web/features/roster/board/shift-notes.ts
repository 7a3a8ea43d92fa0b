// What is known about an open seat: who asks for its shift, and why the last filling left it open.
import type { RosterInput } from '#shared/roster/input.ts';
import type { RosterResult } from '#shared/roster/roster-result.ts';
import type { Topics } from './topics.ts';

type Bids = RosterInput['bids'];

/** A shift with seats that the last filling left open, and why. */
export type LeftOpen = RosterResult['unfilled'][number];

function byShift(bids: Bids = []): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { shift_id, user_id } of bids) {
    found.set(shift_id, [...(found.get(shift_id) ?? []), user_id]);
  }
  return found;
}

export type ShiftNotes = ReturnType<typeof createShiftNotes>;

/**
 * @param topics touched are `shift ` with the id of each shift whose notes have changed, and `left open`
 * @param before of the same days, before they were loaded again
 */
export function createShiftNotes(
  initial: Bids,
  topics: Topics,
  before?: { leftOpen: () => readonly LeftOpen[] },
) {
  let bids = byShift(initial);
  let leftOpen = new Map(before?.leftOpen().map((one) => [one.shift_id, one]));
  const touch = (shiftId: string) => topics.touch(`shift ${shiftId}`);
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
    leftOpen: (): LeftOpen[] => [...leftOpen.values()],
    /** Why the last filling left a seat of the shift open. */
    whyOpen: (shiftId: string): string | undefined => leftOpen.get(shiftId)?.reason,
    /** @param unfilled of the last filling, in place of those of the one before */
    setLeftOpen(unfilled: readonly LeftOpen[]) {
      const earlier = leftOpen;
      leftOpen = new Map(unfilled.map((one) => [one.shift_id, one]));
      for (const id of new Set([...earlier.keys(), ...leftOpen.keys()])) touch(id);
      topics.touch('left open');
    },
    /** After an edit the reason may be another. */
    forgetWhy(shiftId: string) {
      if (leftOpen.delete(shiftId)) topics.touch('left open');
    },
  };
}
