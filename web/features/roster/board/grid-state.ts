// The active cell and the selection of the board. Row topics tell only the rows that change.
import { createTopics } from './topics.ts';

export type CellAt = { row: string; column: number };

export type GridState = ReturnType<typeof createGridState>;

export const HEAD = -1;

const cellKey = ({ row, column }: CellAt) => `${column} ${row}`;

/** @param rowKeys the rows that can be active, in their order; read at each call */
export function createGridState(rowKeys: () => readonly string[]) {
  const topics = createTopics();
  let active: CellAt | undefined;
  let anchor: CellAt | undefined;
  let selected = new Map<string, CellAt>();

  function replace(next: Map<string, CellAt>, nextActive: CellAt | undefined) {
    const rows = new Set<string>();
    for (const [key, cell] of selected) if (!next.has(key)) rows.add(cell.row);
    for (const [key, cell] of next) if (!selected.has(key)) rows.add(cell.row);
    if (active) rows.add(active.row);
    if (nextActive) rows.add(nextActive.row);
    selected = next;
    active = nextActive;
    for (const row of rows) topics.touch(row);
    topics.touch('active');
    topics.touch('selection');
  }

  function rectangle(from: CellAt, to: CellAt) {
    const rows = rowKeys();
    const [a, b] = [rows.indexOf(from.row), rows.indexOf(to.row)].sort((x, y) => x - y);
    const [left, right] = [from.column, to.column].sort((x, y) => x - y);
    const cells = new Map<string, CellAt>();
    if (a === undefined || b === undefined || left === undefined || right === undefined || a < 0) {
      return cells;
    }
    for (const row of rows.slice(a, b + 1)) {
      for (let column = Math.max(left, 0); column <= right; column += 1) {
        cells.set(cellKey({ row, column }), { row, column });
      }
    }
    return cells;
  }

  const only = (cell: CellAt) =>
    cell.column === HEAD ? new Map<string, CellAt>() : new Map([[cellKey(cell), cell]]);

  return {
    topics,
    get active() {
      return active;
    },
    get selected(): readonly CellAt[] {
      return [...selected.values()];
    },
    isActive: (row: string, column: number) => active?.row === row && active.column === column,
    isSelected: (row: string, column: number) => selected.has(cellKey({ row, column })),
    activate(cell: CellAt) {
      anchor = cell;
      replace(only(cell), cell);
    },
    /** Shift and an arrow, or Shift and a click. */
    extendTo(cell: CellAt) {
      anchor ??= active ?? cell;
      replace(rectangle(anchor, cell), cell);
    },
    /** Ctrl and a click. */
    toggle(cell: CellAt) {
      const next = new Map(selected);
      const key = cellKey(cell);
      if (next.has(key)) next.delete(key);
      else next.set(key, cell);
      anchor = cell;
      replace(next, cell);
    },
    /** A whole day, or a whole site. */
    select(cells: readonly CellAt[]) {
      const [first] = cells;
      if (!first) return;
      anchor = first;
      replace(new Map(cells.map((cell) => [cellKey(cell), cell])), first);
    },
    clear() {
      anchor = active;
      replace(active ? only(active) : new Map(), active);
    },
  };
}
