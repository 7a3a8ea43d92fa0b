// The effect of a drop, a paste or a key, and why it is refused. Pure: nothing is changed here.
import type { RuleProblem } from '#shared/roster/duty-rules.ts';
import { problemsFor } from '#shared/roster/problems.ts';
import type { CellAt } from './grid-state.ts';
import type { BoardRow, SeatRow } from './roster-rows.ts';
import type { Edit, Move, RosterStore } from './roster-store.ts';

/** Dragged or copied. */
export type Carried =
  /** Cells of the posts; offsets are from the cell that was picked up. */
  | {
      kind: 'seats';
      seats: { shiftId: string; userId: string; rows: number; columns: number }[];
      name: string;
    }
  /** A shift of a guard, in the row of the guard. */
  | { kind: 'duty'; shiftId: string; userId: string; name: string }
  /** From a list of guards. */
  | { kind: 'guard'; userId: string; name: string }
  /** From a list of open shifts. */
  | { kind: 'shift'; shiftId: string; name: string };

export type Problem = RuleProblem & { shiftId: string; userId: string };

/** Whether a reason is enough for the database. */
export const isOverridable = (problems: readonly RuleProblem[]) =>
  problems.every(({ can_override }) => can_override);

export type Plan = {
  edit: Edit;
  /** Why it can't be done; nothing to do if there are also no moves. */
  problems: Problem[];
};

const refused = (message: string): Plan => ({
  edit: { label: '', moves: [] },
  problems: [{ shiftId: '', userId: '', rule: 'target', message, can_override: false }],
});

/** @param rows those on screen, in order */
export type Board = { store: RosterStore; rows: readonly BoardRow[] };

export function seatAt(
  row: BoardRow | undefined,
  column: number,
): { shiftId: string; seat: number } | undefined {
  if (row?.kind !== 'seat') return undefined;
  const shiftId = row.shifts[column];
  return shiftId === undefined ? undefined : { shiftId, seat: row.seat };
}

export const guardAt = (store: RosterStore, row: SeatRow, column: number): string | undefined => {
  const at = seatAt(row, column);
  return at && store.seatsOf(at.shiftId)[at.seat];
};

/** The rules that the moves would break, with all of them done. */
export function findProblems(store: RosterStore, moves: readonly Move[]): Problem[] {
  const { effective, input } = store;
  const was = moves.map(({ shift_id, user_id }) => effective.peopleOn(shift_id).has(user_id));
  for (const { shift_id, user_id, on } of moves) {
    effective[on ? 'assign' : 'unassign'](shift_id, user_id);
  }
  const problems = moves
    .filter(({ on, override_reason }) => on && !override_reason)
    .flatMap(({ shift_id, user_id }) =>
      problemsFor(input, effective, user_id, shift_id).map((problem) => ({
        shiftId: shift_id,
        userId: user_id,
        ...problem,
      })),
    );
  moves.forEach(({ shift_id, user_id }, position) => {
    effective[was[position] ? 'assign' : 'unassign'](shift_id, user_id);
  });
  return problems;
}

const lockOf = (store: RosterStore, shiftId: string, userId?: string): string | undefined => {
  if (store.isOver(shiftId)) return 'This shift has ended';
  if (userId !== undefined && store.isLocked(shiftId, userId)) {
    return `${store.seatState(shiftId, userId).name} has already clocked in`;
  }
  return undefined;
};

function planned(store: RosterStore, label: string, moves: Move[]): Plan {
  return { edit: { label, moves }, problems: findProblems(store, moves) };
}

function onto(
  board: Board,
  target: CellAt,
  userId: string,
  offset: { rows: number; columns: number },
): { moves: Move[]; refusal?: string } {
  const { store, rows } = board;
  const index = rows.findIndex(({ key }) => key === target.row) + offset.rows;
  const at = seatAt(rows[index], target.column + offset.columns);
  if (!at) return { moves: [], refusal: 'No shift here on this day' };
  const { shiftId, seat } = at;
  const there = store.seatsOf(shiftId)[seat];
  const lock = lockOf(store, shiftId, there);
  if (lock) return { moves: [], refusal: lock };
  if (there === userId) return { moves: [] };
  if (store.effective.peopleOn(shiftId).has(userId)) {
    return { moves: [], refusal: 'Already on this shift' };
  }
  return {
    moves: [
      ...(there === undefined ? [] : [{ shift_id: shiftId, user_id: there, on: false }]),
      { shift_id: shiftId, user_id: userId, on: true, seat },
    ],
  };
}

function planSeats(
  board: Board,
  carried: Extract<Carried, { kind: 'seats' }>,
  target: CellAt,
  keeps: boolean,
): Plan {
  const { store } = board;
  const moves: Move[] = [];
  const problems: Problem[] = [];
  for (const { shiftId, userId, rows, columns } of carried.seats) {
    const { moves: made, refusal } = onto(board, target, userId, { rows, columns });
    if (refusal) {
      problems.push({ shiftId, userId, rule: 'target', message: refusal, can_override: false });
    }
    if (made.length === 0) continue;
    if (!keeps) moves.push({ shift_id: shiftId, user_id: userId, on: false });
    moves.push(...made);
    const [first] = made;
    // Two cells change places.
    if (!keeps && carried.seats.length === 1 && made.length === 2 && first) {
      const seat = store.seatsOf(shiftId).indexOf(userId);
      moves.push({ shift_id: shiftId, user_id: first.user_id, on: true, seat });
    }
  }
  const verb = keeps ? 'Copy' : moves.length > 2 && carried.seats.length === 1 ? 'Swap' : 'Move';
  const plan = planned(store, `${verb} ${carried.name}`, moves);
  return { ...plan, problems: [...problems, ...plan.problems] };
}

function planDuty(
  { store, rows }: Board,
  carried: Extract<Carried, { kind: 'duty' | 'shift' }>,
  target: CellAt,
  keeps: boolean,
): Plan {
  const row = rows.find(({ key }) => key === target.row);
  const shift = store.index.shifts.get(carried.shiftId);
  if (row?.kind !== 'guard' || !shift) return refused('Drop it on a guard’s day');
  const { person } = row;
  const owner = carried.kind === 'duty' ? carried.userId : undefined;
  if (shift.column !== target.column) {
    const other = [...store.index.shifts.values()].find(
      (candidate) =>
        candidate.column === target.column &&
        candidate.site_id === shift.site_id &&
        candidate.post_id === shift.post_id &&
        candidate.hours === shift.hours &&
        store.effective.peopleOn(candidate.id).size < candidate.headcount,
    );
    if (!other) return refused('No open shift of this post on that day');
    return planned(store, `Assign ${person.name}`, [
      ...(owner && !keeps ? [{ shift_id: shift.id, user_id: owner, on: false }] : []),
      { shift_id: other.id, user_id: person.id, on: true },
    ]);
  }
  if (owner === person.id) return planned(store, '', []);
  const lock = lockOf(store, shift.id, owner);
  if (lock) return refused(lock);
  if (store.effective.peopleOn(shift.id).has(person.id)) return refused('Already on this shift');
  const isFull = store.effective.peopleOn(shift.id).size >= shift.headcount;
  if (isFull && (owner === undefined || keeps)) return refused('This shift is full');
  return planned(store, `Assign ${person.name}`, [
    ...(owner && !keeps ? [{ shift_id: shift.id, user_id: owner, on: false }] : []),
    { shift_id: shift.id, user_id: person.id, on: true },
  ]);
}

/** @param keeps copies instead of moving */
export function planDrop(board: Board, carried: Carried, target: CellAt, keeps: boolean): Plan {
  const { store, rows } = board;
  if (carried.kind === 'seats') return planSeats(board, carried, target, keeps);
  if (carried.kind !== 'guard') return planDuty(board, carried, target, keeps);
  const row = rows.find(({ key }) => key === target.row);
  if (row?.kind !== 'seat') return refused('Drop it on a shift');
  const { moves, refusal } = onto(board, target, carried.userId, { rows: 0, columns: 0 });
  return refusal ? refused(refusal) : planned(store, `Assign ${carried.name}`, moves);
}

/** @returns what the cells hold, for a drag or the clipboard; undefined if nothing in them can be moved */
export function carriedFrom(
  { store, rows }: Board,
  cells: readonly CellAt[],
  at: CellAt,
): Carried | undefined {
  const indexOf = new Map(rows.map((row, index) => [row.key, index]));
  const origin = indexOf.get(at.row) ?? 0;
  const seats = cells.flatMap(({ row: key, column }) => {
    const index = indexOf.get(key);
    const row = index === undefined ? undefined : rows[index];
    const seat = seatAt(row, column);
    const userId = row?.kind === 'seat' ? guardAt(store, row, column) : undefined;
    if (index === undefined || !seat || userId === undefined) return [];
    return [{ shiftId: seat.shiftId, userId, rows: index - origin, columns: column - at.column }];
  });
  const [first] = seats;
  if (!first) return undefined;
  const name =
    seats.length === 1
      ? store.seatState(first.shiftId, first.userId).name
      : `${seats.length} guards`;
  return { kind: 'seats', seats, name };
}

/** Takes everybody off the cells who may be taken off. */
export function planRemoval({ store, rows }: Board, cells: readonly CellAt[]): Edit {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const moves = cells.flatMap(({ row: key, column }): Move[] => {
    const row = byKey.get(key);
    if (row?.kind === 'seat') {
      const at = seatAt(row, column);
      const userId = guardAt(store, row, column);
      if (!at || userId === undefined || store.isLocked(at.shiftId, userId)) return [];
      return [{ shift_id: at.shiftId, user_id: userId, on: false }];
    }
    if (row?.kind !== 'guard') return [];
    return [...store.effective.shiftsOf(row.person.id)]
      .filter((id) => store.index.shifts.get(id)?.column === column)
      .filter((id) => !store.isLocked(id, row.person.id))
      .map((id) => ({ shift_id: id, user_id: row.person.id, on: false }));
  });
  const [first] = moves;
  const name = first && store.seatState(first.shift_id, first.user_id).name;
  return { label: moves.length === 1 ? `Remove ${name}` : `Remove ${moves.length} guards`, moves };
}
