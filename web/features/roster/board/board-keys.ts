// Keys of the grid. Those with Ctrl work with Cmd too.
import type { KeyboardEvent } from 'react';
import type { DragState } from './drag-state.ts';
import { type CellAt, type GridState, HEAD } from './grid-state.ts';
import type { Carried, Plan } from './roster-moves.ts';

export type BoardCommands = {
  open: (cell: CellAt) => void;
  remove: () => void;
  copy: () => void;
  paste: () => void;
  undo: () => void;
  redo: () => void;
  pin: () => void;
  pickUp: (cell: CellAt) => Carried | undefined;
  plan: (carried: Carried, target: CellAt, keeps: boolean) => Plan;
  drop: (plan: Plan) => void;
  announce: (text: string) => void;
};

type Grid = {
  state: GridState;
  rowKeys: () => readonly string[];
  columns: number;
  drag: DragState;
};

const STEPS: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-12, 0],
  PageDown: [12, 0],
};

function targetOf({ state, rowKeys, columns }: Grid, event: KeyboardEvent): CellAt | undefined {
  const { active } = state;
  if (!active) return undefined;
  const rows = rowKeys();
  const index = rows.indexOf(active.row);
  const isCtrl = event.ctrlKey || event.metaKey;
  const clampRow = (at: number) => rows[Math.max(0, Math.min(rows.length - 1, at))] ?? active.row;
  const clampColumn = (at: number) => Math.max(HEAD, Math.min(columns - 1, at));
  if (event.key === 'Home') return { row: isCtrl ? clampRow(0) : active.row, column: 0 };
  if (event.key === 'End') {
    return { row: isCtrl ? clampRow(rows.length - 1) : active.row, column: columns - 1 };
  }
  const step = STEPS[event.key];
  return step && { row: clampRow(index + step[0]), column: clampColumn(active.column + step[1]) };
}

/** While something is picked up by keyboard: the arrows choose where it goes. */
function carry(grid: Grid, commands: BoardCommands, event: KeyboardEvent): boolean {
  const { drag, state } = grid;
  const { current } = drag;
  if (!current?.byKeyboard) return false;
  if (event.key === 'Escape') {
    drag.set(undefined);
    commands.announce(`${current.carried.name} stays where it was.`);
    return true;
  }
  if (event.key === ' ' || event.key === 'Enter') {
    drag.set(undefined);
    if (current.plan) commands.drop(current.plan);
    return true;
  }
  const target = targetOf(grid, event);
  if (!target || target.column === HEAD) return target !== undefined;
  state.activate(target);
  const plan = commands.plan(
    current.carried,
    target,
    event.ctrlKey || event.metaKey || current.keeps,
  );
  drag.set({ ...current, target, plan });
  const [problem] = plan.problems;
  commands.announce(
    problem ? `Can’t go here: ${problem.message}` : plan.edit.label || 'Nothing changes',
  );
  return true;
}

function command(grid: Grid, commands: BoardCommands, event: KeyboardEvent): boolean {
  const { active } = grid.state;
  const isCtrl = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (isCtrl && key === 'z') {
    if (event.shiftKey) commands.redo();
    else commands.undo();
    return true;
  }
  if (isCtrl && key === 'y') commands.redo();
  else if (isCtrl && key === 'c') commands.copy();
  else if (isCtrl && key === 'v') commands.paste();
  else if (isCtrl || event.altKey) return false;
  else if (key === 'delete' || key === 'backspace') commands.remove();
  else if (key === 'p') commands.pin();
  else if (key === 'escape') grid.state.clear();
  else if (key === 'enter' && active) commands.open(active);
  else if (key === ' ' && active) {
    const carried = commands.pickUp(active);
    if (carried) {
      grid.drag.set({
        carried,
        keeps: false,
        byKeyboard: true,
        target: undefined,
        plan: undefined,
      });
      commands.announce(
        `${carried.name} picked up. Arrow keys choose the place, Space drops, Escape cancels.`,
      );
    } else commands.open(active);
  } else return false;
  return true;
}

export function handleBoardKey(grid: Grid, commands: BoardCommands, event: KeyboardEvent): void {
  // Links and buttons in a row have keys of their own.
  if (event.target instanceof Element && event.target.closest('a, button')) return;
  let isDone = carry(grid, commands, event) || command(grid, commands, event);
  if (!isDone) {
    const target = targetOf(grid, event);
    if (target) {
      if (event.shiftKey && target.column !== HEAD) grid.state.extendTo(target);
      else grid.state.activate(target);
      isDone = true;
    }
  }
  if (isDone) event.preventDefault();
}
