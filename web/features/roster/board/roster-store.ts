// Published assignments, the draft, and edits that are not saved yet. Rows subscribe to what they show, so that one
// edit renders two rows and not a thousand.
import { type Effective, effectiveRoster } from '#shared/roster/effective.ts';
import type { RosterInput, RosterPair } from '#shared/roster/input.ts';
import { type BoardIndex, indexRoster } from './roster-rows.ts';
import { createShiftNotes, type ShiftNotes } from './shift-notes.ts';
import { createTopics } from './topics.ts';

/** One guard put on, or taken off, one shift. */
export type Move = RosterPair & {
  on: boolean;
  /** The row of the shift's guards to use, if it is free. */
  seat?: number | undefined;
  override_reason?: string | undefined;
};

export type Edit = {
  /** Named by Undo, for example "Assign Moses Kollie". */
  label: string;
  moves: readonly Move[];
};

/** Changes while the board is open; the rest of the input changes rarely. */
export type RosterState = Pick<
  RosterInput,
  'assignments' | 'changes' | 'pins' | 'bids' | 'periods'
>;

export const pairKey = (shiftId: string, userId: string) => `${shiftId} ${userId}`;
const keyOf = ({ shift_id, user_id }: RosterPair) => pairKey(shift_id, user_id);

const ABSENCES = { leave: 'is on leave', no_show: 'did not come' } as const;

export type Absent = { name: string; absence: keyof typeof ABSENCES; reason: string };

export type SeatState = {
  userId: string;
  name: string;
  /** Not what the guards see yet. */
  isDraft: boolean;
  isPinned: boolean;
  /** The guard has said that they come. */
  isConfirmed: boolean;
  /** Clocked in, or over: can't be changed. */
  isLocked: boolean;
  isOverride: boolean;
};

export type RosterStore = ReturnType<typeof createRosterStore>;

/**
 * @param now minutes since 1970
 * @param isPreview of some sites, and of the guards only their names: no rule can be checked
 * @param before the same days, before they were loaded again
 */
export function createRosterStore(
  input: RosterInput,
  now: () => number,
  isPreview = false,
  before?: { notes: ShiftNotes },
) {
  const index: BoardIndex = indexRoster(input);
  const topics = createTopics();
  const notes = createShiftNotes(input.bids, topics, before?.notes);
  let effective: Effective = effectiveRoster(input);
  let published = new Map<string, RosterInput['assignments'][number]>();
  let publishedOn = new Map<string, string[]>();
  let pins = new Set<string>();
  let periods = input.periods;
  /** From the last answer of the server. */
  let latest: RosterState = input;
  /** Its changes, and those that it has confirmed since. */
  let confirmed = new Map<string, RosterInput['changes'][number]>();
  const seats = new Map<string, (string | undefined)[]>();
  const reasons = new Map<string, string>();
  /** Edits that the server has not confirmed, oldest first. */
  let pending: Edit[] = [];

  const touch = (shiftId: string, userId: string) => {
    topics.touch(`shift ${shiftId}`);
    topics.touch(`guard ${userId}`);
  };

  /** Keeps everybody's seat, because names that jump to other rows are hard to follow. */
  function arrangeSeats(shiftId: string, preferred?: (userId: string) => number | undefined) {
    const people = effective.peopleOn(shiftId);
    const headcount = index.shifts.get(shiftId)?.headcount ?? 0;
    const before = seats.get(shiftId) ?? [];
    const next: (string | undefined)[] = before.map((id) =>
      id !== undefined && people.has(id) ? id : undefined,
    );
    while (next.length < headcount) next.push(undefined);
    for (const userId of people) {
      if (next.includes(userId)) continue;
      const wanted = preferred?.(userId);
      const free =
        wanted !== undefined && wanted < next.length && next[wanted] === undefined
          ? wanted
          : next.indexOf(undefined);
      if (free === -1) next.push(userId);
      else next[free] = userId;
    }
    while (next.length > headcount && next.at(-1) === undefined) next.pop();
    if (next.length > headcount && next.length > before.length) topics.touch('rows');
    seats.set(shiftId, next);
  }

  /** Guards of several shifts of one post get the same row on each day. */
  function arrangeAll() {
    const usual = new Map<string, number>();
    const ordered = [...index.shifts.values()].sort((a, b) => a.start - b.start);
    for (const shift of ordered) {
      const line = `${shift.site_id}|${shift.post_id ?? ''}|${shift.hours}`;
      arrangeSeats(shift.id, (userId) => usual.get(`${line}|${userId}`));
      seats.get(shift.id)?.forEach((userId, seat) => {
        if (userId !== undefined && !usual.has(`${line}|${userId}`)) {
          usual.set(`${line}|${userId}`, seat);
        }
      });
    }
  }

  function perform({ moves }: Edit) {
    for (const move of moves) {
      if (!index.shifts.has(move.shift_id)) continue;
      notes.forgetWhy(move.shift_id);
      if (move.on) effective.assign(move.shift_id, move.user_id);
      else effective.unassign(move.shift_id, move.user_id);
      if (move.on && move.override_reason) reasons.set(keyOf(move), move.override_reason);
    }
    for (const { shift_id, user_id, seat } of moves) {
      if (index.shifts.has(shift_id)) arrangeSeats(shift_id, () => seat);
      touch(shift_id, user_id);
    }
    topics.touch('totals');
  }

  function takePublished({ assignments, changes }: Pick<RosterState, 'assignments' | 'changes'>) {
    confirmed = new Map(changes.map((row) => [keyOf(row), row]));
    for (const row of changes) {
      if (row.override_reason) reasons.set(keyOf(row), row.override_reason);
    }
    published = new Map(assignments.map((row) => [keyOf(row), row]));
    publishedOn = new Map();
    for (const { shift_id, user_id } of assignments) {
      const people = publishedOn.get(shift_id);
      if (people) people.push(user_id);
      else publishedOn.set(shift_id, [user_id]);
    }
  }

  /** Takes what the server has, and performs the unsaved edits on it again. */
  function receive(state: RosterState) {
    latest = state;
    const before = effective;
    const publishedBefore = published;
    const pinsBefore = pins;
    takePublished(state);
    pins = new Set(state.pins.map(keyOf));
    periods = state.periods;
    notes.setBids(state.bids);
    effective = effectiveRoster({ ...input, ...state });
    for (const { moves } of pending) {
      for (const { shift_id, user_id, on } of moves) {
        if (on) effective.assign(shift_id, user_id);
        else effective.unassign(shift_id, user_id);
      }
    }
    let isChanged = false;
    for (const shiftId of index.shifts.keys()) {
      const [was, is] = [before.peopleOn(shiftId), effective.peopleOn(shiftId)];
      const all = new Set([...was, ...is]);
      let changed = false;
      for (const userId of all) {
        const key = pairKey(shiftId, userId);
        const isSame =
          was.has(userId) === is.has(userId) &&
          publishedBefore.get(key)?.clocked === published.get(key)?.clocked &&
          publishedBefore.get(key)?.confirmed === published.get(key)?.confirmed &&
          pinsBefore.has(key) === pins.has(key);
        if (isSame) continue;
        changed = true;
        touch(shiftId, userId);
      }
      if (!changed) continue;
      isChanged = true;
      arrangeSeats(shiftId);
    }
    // Most answers only repeat what this board has done itself.
    if (isChanged) topics.touch('totals');
    topics.touch('state');
  }

  takePublished(input);
  pins = new Set(input.pins.map(keyOf));
  arrangeAll();

  const latestState = (): RosterState => ({ ...latest, changes: [...confirmed.values()] });
  const nameOf = (userId: string) => index.people.get(userId)?.name ?? 'Former guard';
  const absenceOf = (shiftId: string, userId: string) =>
    published.get(pairKey(shiftId, userId))?.absence ?? null;
  const isOver = (shiftId: string) => (index.shifts.get(shiftId)?.end ?? 0) <= now();

  return {
    input,
    isPreview,
    index,
    topics,
    notes,
    receive,
    get effective() {
      return effective;
    },
    get periods() {
      return periods;
    },
    seatsOf: (shiftId: string): readonly (string | undefined)[] => seats.get(shiftId) ?? [],
    /** Whether the shift has ended: what happened isn't planned any more. */
    isOver,
    isLocked: (shiftId: string, userId: string) =>
      isOver(shiftId) || published.get(pairKey(shiftId, userId))?.clocked === true,
    seatState(shiftId: string, userId: string): SeatState {
      const key = pairKey(shiftId, userId);
      const assignment = published.get(key);
      return {
        userId,
        name: nameOf(userId),
        isDraft: assignment === undefined,
        isPinned: pins.has(key),
        isConfirmed: assignment?.confirmed === true,
        isLocked: isOver(shiftId) || assignment?.clocked === true,
        isOverride: assignment?.override === true || reasons.has(key),
      };
    },
    /** Published guards who are no longer on the shift. */
    removedFrom: (shiftId: string): string[] =>
      (publishedOn.get(shiftId) ?? []).filter(
        (id) => !effective.peopleOn(shiftId).has(id) && absenceOf(shiftId, id) === null,
      ),
    /** Published guard whose seat is open, because they don't come: the first for the first open seat, and so on. */
    absentAt(shiftId: string, seat: number): Absent | undefined {
      const taken = seats.get(shiftId) ?? [];
      if (taken[seat] !== undefined) return undefined;
      const open = taken.slice(0, seat).filter((id) => id === undefined).length;
      return (publishedOn.get(shiftId) ?? []).flatMap((id): Absent[] => {
        const absence = absenceOf(shiftId, id);
        return absence === null ? [] : [{ name: nameOf(id), absence, reason: ABSENCES[absence] }];
      })[open];
    },
    reasonOf: (pair: RosterPair) => reasons.get(keyOf(pair)),
    /** Everything that differs from what is published. */
    draft(): RosterInput['changes'] {
      const changes: RosterInput['changes'] = [];
      for (const { shift_id, user_id, absence } of published.values()) {
        const isTakenOff = confirmed.get(pairKey(shift_id, user_id))?.change === 'unassign';
        if (!effective.peopleOn(shift_id).has(user_id) && (absence === null || isTakenOff)) {
          changes.push({ shift_id, user_id, change: 'unassign' });
        }
      }
      for (const shift_id of index.shifts.keys()) {
        for (const user_id of effective.peopleOn(shift_id)) {
          const key = pairKey(shift_id, user_id);
          if (published.has(key)) continue;
          changes.push({ shift_id, user_id, change: 'assign', override_reason: reasons.get(key) });
        }
      }
      return changes;
    },
    /** The roster as it is shown, for the engine. */
    current(): RosterInput {
      return { ...input, ...latest, changes: this.draft() };
    },
    begin(edit: Edit) {
      pending.push(edit);
      perform(edit);
    },
    confirm(edit: Edit) {
      pending = pending.filter((other) => other !== edit);
      for (const { shift_id, user_id, on } of edit.moves) {
        const key = pairKey(shift_id, user_id);
        if (published.has(key) === on) confirmed.delete(key);
        else if (!on) confirmed.set(key, { shift_id, user_id, change: 'unassign' });
        else {
          const override_reason = reasons.get(key);
          confirmed.set(key, { shift_id, user_id, change: 'assign', override_reason });
        }
      }
      topics.touch('state');
    },
    /** The server has refused: the cells go back. */
    refuse(edit: Edit) {
      pending = pending.filter((other) => other !== edit);
      receive(latestState());
    },
    setPins(pairs: readonly RosterPair[], pinned: boolean) {
      const kept = latest.pins.filter((pin) => !pairs.some((pair) => keyOf(pair) === keyOf(pin)));
      receive({ ...latestState(), pins: pinned ? [...kept, ...pairs] : kept });
    },
    pendingCount: () => pending.length,
  };
}
