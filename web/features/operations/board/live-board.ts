// The board's data: loaded once, then only the shifts that changed are fetched again, and everything after a gap.
import type { RowChange, TableName } from '#web/lib/realtime/live-tables.ts';
import { createRefresher } from '#web/lib/realtime/refresher.ts';
import { type Board, toBoard, withAnswer } from './board-rows.ts';
import type { BoardAnswer } from './operations-schema.ts';
import { AHEAD_MS, BEHIND_MS, MARGIN_MS } from './seat-states.ts';

/** Boards that wait a little, each another while, don't all ask at the same moment. */
const DEBOUNCE_MS = { least: 100, spread: 150 } as const;
/** At most one request in this time per board. */
const PAUSE_MS = 300;
/** With more changed shifts than this, everything is fetched. */
const MOST_IDS = 300;

export type BoardState = {
  board: Board | undefined;
  /** Why the last request failed. */
  error: unknown;
  /** When the server last answered, by the device's clock. */
  confirmedAt: number | undefined;
  isLost: boolean;
};

type Source = {
  fetchWindow: (now: number) => Promise<BoardAnswer>;
  fetchShifts: (ids: string[]) => Promise<BoardAnswer>;
};

type Fields = RowChange['new'];

function textAt(row: Fields, key: string): string | undefined {
  const value = row[key];
  return typeof value === 'string' ? value : undefined;
}

export function createLiveBoard({ fetchWindow, fetchShifts }: Source) {
  let state: BoardState = {
    board: undefined,
    error: undefined,
    confirmedAt: undefined,
    isLost: false,
  };
  const listeners = new Set<() => void>();
  const waiting = new Set<string>();
  /** Waiting or in flight: also changes of shifts that are not on the board yet count. */
  const asked = new Set<string>();
  let needsAll = true;
  let lastAt = Number.NEGATIVE_INFINITY;

  function set(change: Partial<BoardState>) {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  const now = () => Date.now() + (state.board?.offset ?? 0);

  async function load() {
    const isAll = needsAll || waiting.size > MOST_IDS;
    const ids = [...waiting];
    needsAll = false;
    waiting.clear();
    lastAt = performance.now();
    try {
      const answer = isAll ? await fetchWindow(now()) : await fetchShifts(ids);
      const { board } = state;
      const receivedAt = Date.now();
      set({
        board: isAll || !board ? toBoard(answer, receivedAt) : withAnswer(board, answer, ids),
        error: undefined,
        confirmedAt: receivedAt,
        isLost: false,
      });
      for (const id of ids) if (!waiting.has(id)) asked.delete(id);
    } catch (error) {
      // The next request, at the latest that of the heartbeat, asks for everything.
      needsAll = true;
      set({ error, isLost: true });
    }
  }
  let refresher = createRefresher(load, PAUSE_MS - DEBOUNCE_MS.least);
  const refresh = (withinMs: number) => refresher.refresh(withinMs);

  function soon() {
    const pause = Math.max(0, lastAt + PAUSE_MS - performance.now());
    refresh(Math.max(pause, DEBOUNCE_MS.least + Math.random() * DEBOUNCE_MS.spread));
  }
  const shiftWith = (assignmentId: string | undefined) =>
    assignmentId === undefined || !state.board
      ? undefined
      : [...state.board.shifts.values()].find(({ guards }) =>
          guards.some((guard) => guard.assignment_id === assignmentId),
        )?.id;

  function isInView(row: Fields) {
    const start = Date.parse(textAt(row, 'start_time') ?? '');
    const end = Date.parse(textAt(row, 'end_time') ?? '');
    return start < now() + AHEAD_MS + MARGIN_MS && end > now() - BEHIND_MS;
  }
  const isOnBoard = (id: string) => state.board?.shifts.has(id) === true || asked.has(id);

  /** The shifts of the board that a change touches. */
  function touchedBy(table: TableName, { new: row, old }: RowChange): (string | undefined)[] {
    if (table === 'shifts') {
      const id = textAt(row, 'id') ?? textAt(old, 'id');
      return id !== undefined && (isOnBoard(id) || isInView(row)) ? [id] : [];
    }
    if (table === 'assignments') {
      // The shift that the guard was on before, too.
      const ids = [textAt(row, 'shift_id'), shiftWith(textAt(row, 'id') ?? textAt(old, 'id'))];
      return ids.filter((id) => id !== undefined && isOnBoard(id));
    }
    if (table === 'alerts') {
      const ids = [textAt(row, 'shift_id'), textAt(old, 'shift_id')];
      // A part may name a post that was quiet until now.
      return ids.filter((id) => id !== undefined && (isOnBoard(id) || state.board?.part));
    }
    return [shiftWith(textAt(row, 'assignment_id'))];
  }

  return {
    get: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** @returns the function that stops it */
    start() {
      refresher = createRefresher(load, PAUSE_MS - DEBOUNCE_MS.least);
      needsAll = true;
      refresh(0);
      return () => refresher.stop();
    },
    reload() {
      needsAll = true;
      refresh(0);
    },
    /** Fetches a shift that a part of a large board does not have. */
    want(id: string) {
      if (isOnBoard(id)) return;
      waiting.add(id);
      asked.add(id);
      refresh(0);
    },
    /** Asks for the server's time, and for everything if the last request failed. */
    beat: () => refresh(0),
    lose: () => set({ isLost: true }),
    changed(table: TableName, change?: RowChange) {
      if (!change) {
        needsAll = true;
        soon();
        return;
      }
      for (const id of touchedBy(table, change)) {
        if (id === undefined) continue;
        waiting.add(id);
        asked.add(id);
        soon();
      }
    },
  };
}
