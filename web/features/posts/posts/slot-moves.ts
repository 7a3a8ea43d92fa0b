// Changes of a cycle's slots: what pointers, keys and the table of slots all do.
import * as limits from '#shared/database.limits.ts';
import {
  type Cycle,
  DAY_MINUTES,
  formatMinute,
  numbered,
  parseMinute,
  type Slot,
} from '#shared/demand/cycle.ts';

/** Minutes: drawing and keys move in steps of this. */
export const STEP = 30;
const SHORTEST = STEP;
/** Minutes of a slot that is added without drawing its length. */
const USUAL = 720;

/** @returns the minute of the cycle at which a slot begins */
export const findStart = ({ day, start }: Slot): number => day * DAY_MINUTES + parseMinute(start);

export const snapped = (minute: number): number => Math.round(minute / STEP) * STEP;

function changed(cycle: Cycle, slot: number, change: (slot: Slot) => Partial<Slot>): Slot[] {
  return numbered(cycle.slots.map((one) => (one.slot === slot ? { ...one, ...change(one) } : one)));
}

/** Moves a slot by minutes, around the end of the cycle. */
export function moveSlot(cycle: Cycle, slot: number, minutes: number): Slot[] {
  const length = cycle.cycle_days * DAY_MINUTES;
  return changed(cycle, slot, (one) => {
    const at = (((findStart(one) + minutes) % length) + length) % length;
    return { day: Math.floor(at / DAY_MINUTES), start: formatMinute(at) };
  });
}

/** @param minutes longer or, if negative, shorter */
export function resizeSlot(cycle: Cycle, slot: number, minutes: number): Slot[] {
  return changed(cycle, slot, (one) => ({
    minutes: Math.min(DAY_MINUTES, Math.max(SHORTEST, one.minutes + minutes)),
  }));
}

export function editSlot(cycle: Cycle, slot: number, change: Partial<Slot>): Slot[] {
  return changed(cycle, slot, () => change);
}

export const removeSlot = ({ slots }: Cycle, slot: number): Slot[] =>
  slots.filter((one) => one.slot !== slot);

/** @returns the slots with the new one, and its number; the same slots if there are too many already */
export function addSlot(
  { slots }: Cycle,
  day: number,
  from: number,
  { minutes = USUAL, headcount = 1 } = {},
): { slots: Slot[]; added: number | undefined } {
  if (slots.length >= limits.MOST_SLOTS) return { slots, added: undefined };
  const added = Math.max(0, ...slots.map(({ slot }) => slot)) + 1;
  const length = Math.min(DAY_MINUTES, Math.max(SHORTEST, minutes));
  const slot = { slot: added, day, start: formatMinute(from), minutes: length, headcount };
  return { slots: numbered([...slots, slot]), added };
}

/** A part of a slot within one day of the cycle: a night is two. */
export interface Piece {
  slot: Slot;
  /** Minutes after midnight. */
  from: number;
  to: number;
  /** Whether it begins on another day. */
  isRest: boolean;
  /** Row within the day, so that slots at the same time don't cover each other. */
  lane: number;
}

export function cutPieces({ cycle_days, slots }: Cycle, day: number): Piece[] {
  const pieces = slots
    .flatMap((slot): Omit<Piece, 'lane'>[] => {
      const from = parseMinute(slot.start);
      const to = from + slot.minutes;
      const own = { slot, from, to: Math.min(to, DAY_MINUTES), isRest: false };
      const rest = { slot, from: 0, to: to - DAY_MINUTES, isRest: true };
      return [
        ...(slot.day === day ? [own] : []),
        ...(to > DAY_MINUTES && (slot.day + 1) % cycle_days === day ? [rest] : []),
      ];
    })
    .sort((a, b) => a.from - b.from || a.slot.slot - b.slot.slot);
  const ends: number[] = [];
  return pieces.map((piece) => {
    const free = ends.findIndex((end) => end <= piece.from);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = piece.to;
    return { ...piece, lane };
  });
}
