import type { RosterPair } from '#shared/roster/input.ts';
import type { CellAt, GridState } from './grid-state.ts';
import { type Board, type Carried, carriedFrom, seatAt } from './roster-moves.ts';
import type { BoardRow } from './roster-rows.ts';

export const cellsWhere = (
  rows: readonly BoardRow[],
  { siteId, column: only }: { siteId?: string; column?: number },
): CellAt[] =>
  rows.flatMap((row) => {
    if (row.kind === 'guard') return only === undefined ? [] : [{ row: row.key, column: only }];
    if (row.kind === 'site' || (siteId !== undefined && row.siteId !== siteId)) return [];
    return row.shifts.flatMap((shift, column) =>
      shift !== undefined && (only === undefined || only === column)
        ? [{ row: row.key, column }]
        : [],
    );
  });

const rowsByKey = ({ rows }: Board) => new Map(rows.map((row) => [row.key, row]));

const dutiesOn = ({ store }: Board, guardId: string, column: number) =>
  [...store.effective.shiftsOf(guardId)].filter(
    (id) => store.index.shifts.get(id)?.column === column,
  );

/** Their shifts, also those without a guard. */
export function listShifts(board: Board, cells: readonly CellAt[]): string[] {
  const byKey = rowsByKey(board);
  const ids = cells.flatMap(({ row: key, column }) => {
    const row = byKey.get(key);
    if (row?.kind === 'guard') return dutiesOn(board, row.person.id, column);
    return seatAt(row, column)?.shiftId ?? [];
  });
  return [...new Set(ids)];
}

export function listPairs(board: Board, cells: readonly CellAt[]): RosterPair[] {
  const byKey = rowsByKey(board);
  return cells.flatMap(({ row: key, column }) => {
    const row = byKey.get(key);
    if (row?.kind === 'guard') {
      const user_id = row.person.id;
      return dutiesOn(board, user_id, column).map((shift_id) => ({ shift_id, user_id }));
    }
    const at = seatAt(row, column);
    const user_id = at && board.store.seatsOf(at.shiftId)[at.seat];
    return at && user_id !== undefined ? [{ shift_id: at.shiftId, user_id }] : [];
  });
}

/** Carries the selection, if the cell belongs to it. @param shiftId which of a guard's shifts */
export function carriedAt(
  board: Board,
  state: GridState,
  cell: CellAt,
  shiftId?: string,
): Carried | undefined {
  const { store } = board;
  const row = board.rows.find(({ key }) => key === cell.row);
  if (row?.kind === 'seat') {
    const cells = state.isSelected(cell.row, cell.column) ? state.selected : [cell];
    const free = cells.filter((at) => {
      const [pair] = listPairs(board, [at]);
      return pair && !store.isLocked(pair.shift_id, pair.user_id);
    });
    return carriedFrom(board, free, cell);
  }
  if (row?.kind !== 'guard') return undefined;
  const { person } = row;
  const shift = store.index.shifts.get(shiftId ?? dutiesOn(board, person.id, cell.column)[0] ?? '');
  if (!shift || store.isLocked(shift.id, person.id)) return undefined;
  return {
    kind: 'duty',
    shiftId: shift.id,
    userId: person.id,
    name: `${person.name}: ${shift.post}, ${shift.hours}`,
  };
}
