import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { useCompact } from '#web/lib/app/density.ts';
import { carriedAt, cellsWhere, listPairs, listShifts } from './board-cells.ts';
import { handleBoardKey } from './board-keys.ts';
import { DragArea, DropMarker } from './drag-area.tsx';
import { createDragState } from './drag-state.ts';
import { type CellAt, createGridState, HEAD } from './grid-state.ts';
import { GuardRowCells } from './guard-row.tsx';
import { HeaderCells } from './header-cells.tsx';
import { findCell, type GridGeometry, RosterGrid } from './roster-grid.tsx';
import {
  type Board,
  type Carried,
  carriedFrom,
  type Plan,
  planDrop,
  planRemoval,
} from './roster-moves.ts';
import type { BoardRow } from './roster-rows.ts';
import type { RosterSession } from './roster-session.ts';
import { SeatRowCells, SiteRowCells } from './seat-row.tsx';

export type Selection = { cells: readonly CellAt[]; shiftIds: string[] };

type BoardGridProps = {
  session: RosterSession;
  rows: readonly BoardRow[];
  isCoarse: boolean;
  gapsOn: readonly number[] | undefined;
  /** For the dialogs of a refused drop. */
  onRefused: (plan: Plan) => void;
  onOpen: (cell: CellAt) => void;
  onFillSite: (siteId: string) => void;
  onFillDay: (column: number) => void;
  onSelect: (selection: Selection) => void;
  /** Beside the grid; its elements with data-guard and data-open-shift can be dragged. */
  side?: ReactNode;
};

const HEIGHTS = {
  compact: { site: 26, seat: 28, guard: 42 },
  fine: { site: 30, seat: 34, guard: 50 },
  coarse: { site: 44, seat: 44, guard: 56 },
};

const OVERSCAN = 6;

export function BoardGrid(props: BoardGridProps) {
  const { session, rows, isCoarse, onRefused, onOpen, onFillSite, onSelect } = props;
  const { store } = session;
  const board: Board = useMemo(() => ({ store, rows }), [store, rows]);
  const latest = useRef(board);
  latest.current = board;
  const rowKeys = useRef<{ rows: readonly BoardRow[]; keys: string[] }>({ rows: [], keys: [] });
  const keysOf = () => {
    const { current } = latest;
    if (rowKeys.current.rows !== current.rows) {
      const keys = current.rows.filter(({ kind }) => kind !== 'site').map(({ key }) => key);
      rowKeys.current = { rows: current.rows, keys };
    }
    return rowKeys.current.keys;
  };
  const [{ state, drag }] = useState(() => ({
    state: createGridState(() => keysOf()),
    drag: createDragState(),
  }));
  const geometry = useRef<GridGeometry>(null);
  const clipboard = useRef<Carried>(undefined);
  const [announced, announce] = useState('');
  const isNarrow = store.index.days.length > 7;
  const isCompact = useCompact();
  const heights = HEIGHTS[isCoarse ? 'coarse' : isCompact ? 'compact' : 'fine'];

  const shiftsOfSite = useMemo(() => {
    const ids = new Map<string, Set<string>>();
    for (const row of rows) {
      if (row.kind !== 'seat') continue;
      const set = ids.get(row.siteId) ?? new Set();
      for (const id of row.shifts) if (id !== undefined) set.add(id);
      ids.set(row.siteId, set);
    }
    return new Map([...ids].map(([site, set]) => [site, [...set]]));
  }, [rows]);

  const fillSite = useRef(onFillSite);
  fillSite.current = onFillSite;
  const renderRow = useMemo(() => {
    const common = { store, state, isNarrow };
    return (row: BoardRow) => {
      if (row.kind === 'seat') return <SeatRowCells row={row} {...common} />;
      if (row.kind === 'guard') return <GuardRowCells row={row} {...common} />;
      return (
        <SiteRowCells
          row={row}
          store={store}
          shiftIds={shiftsOfSite.get(row.siteId) ?? []}
          onSelect={(siteId) => state.select(cellsWhere(latest.current.rows, { siteId }))}
          onFill={(siteId) => fillSite.current(siteId)}
        />
      );
    };
  }, [store, state, isNarrow, shiftsOfSite]);
  const rowHeight = useMemo(() => (row: BoardRow) => heights[row.kind], [heights]);

  const selecting = useRef(onSelect);
  selecting.current = onSelect;
  useEffect(
    () =>
      state.topics.subscribe('selection', () => {
        const cells = state.selected;
        selecting.current({ cells, shiftIds: listShifts(latest.current, cells) });
      }),
    [state],
  );

  function drop(plan: Plan) {
    if (plan.problems.length > 0) {
      onRefused(plan);
      return;
    }
    if (plan.edit.moves.length === 0) return;
    void session.edit(plan.edit);
    announce(`${plan.edit.label}: done.`);
  }
  const plan = (carried: Carried, target: CellAt, keeps: boolean) =>
    planDrop(board, carried, target, keeps);

  function pickUp(target: Element): Carried | undefined {
    const listed = target.closest<HTMLElement>('[data-guard]')?.dataset.guard;
    const person = listed === undefined ? undefined : store.index.people.get(listed);
    if (person) return { kind: 'guard', userId: person.id, name: person.name };
    const open = target.closest<HTMLElement>('[data-open-shift]')?.dataset.openShift;
    const shift = open === undefined ? undefined : store.index.shifts.get(open);
    if (shift) {
      return {
        kind: 'shift',
        shiftId: shift.id,
        name: `${shift.site.name}, ${shift.post}, ${shift.hours}`,
      };
    }
    const cell = findCell(target);
    if (!cell) return undefined;
    return carriedAt(
      board,
      state,
      cell,
      target.closest<HTMLElement>('[data-shift]')?.dataset.shift,
    );
  }

  function copy() {
    const { active } = state;
    const carried =
      active && (carriedFrom(board, state.selected, active) ?? carriedAt(board, state, active));
    if (!carried) return;
    clipboard.current = carried;
    announce(`${carried.name} copied.`);
    showSuccess('Copied', `${carried.name}. Paste with Ctrl+V.`);
  }

  /** Moves that fit are pasted; the others are named. */
  function paste() {
    const { active } = state;
    if (!clipboard.current || !active || active.column === HEAD) return;
    const pasted = planDrop(board, clipboard.current, active, true);
    const refused = new Set(pasted.problems.map(({ shiftId, userId }) => `${shiftId} ${userId}`));
    const moves = pasted.edit.moves.filter(
      ({ shift_id, user_id }) => !refused.has(`${shift_id} ${user_id}`),
    );
    if (moves.some(({ on }) => on)) void session.edit({ label: pasted.edit.label, moves });
    const [problem] = pasted.problems;
    if (problem) {
      const name = store.index.people.get(problem.userId)?.name;
      showError(
        'Not everything was pasted',
        name ? `${name}: ${problem.message}` : problem.message,
      );
    }
  }

  const removal = () => {
    const edit = planRemoval(board, state.selected);
    if (edit.moves.length > 0) {
      void session.edit(edit);
      announce(`${edit.label}: done.`);
    }
  };

  function pin() {
    const pairs = listPairs(board, state.selected);
    if (pairs.length === 0) return;
    const pinned = pairs.some((pair) => !store.seatState(pair.shift_id, pair.user_id).isPinned);
    void session.pin(pairs, pinned);
    announce(pinned ? 'Pinned.' : 'Unpinned.');
  }

  const commands = {
    open: onOpen,
    remove: removal,
    copy,
    paste,
    undo: () => void session.undo(),
    redo: () => void session.redo(),
    pin,
    pickUp: (cell: CellAt) => carriedAt(board, state, cell),
    plan,
    drop,
    announce,
  };
  const isGuards = rows[0]?.kind === 'guard';
  return (
    <DragArea drag={drag} geometry={geometry} pickUp={pickUp} plan={plan} onDrop={drop}>
      <RosterGrid
        label={isGuards ? 'Roster by guard' : 'Roster by post'}
        rows={rows}
        rowHeight={rowHeight}
        columns={store.index.days.length}
        headWidth={isGuards ? 'clamp(10rem,20vw,15rem)' : 'clamp(10rem,22vw,17rem)'}
        columnWidth={isNarrow ? '2.75rem' : '6rem'}
        state={state}
        header={
          <HeaderCells
            store={store}
            title={isGuards ? 'Guard' : 'Post'}
            gapsOn={props.gapsOn}
            isNarrow={isNarrow}
            onSelectDay={(column) => state.select(cellsWhere(rows, { column }))}
            onFillDay={props.onFillDay}
          />
        }
        renderRow={renderRow}
        overscan={store.isPreview ? 0 : OVERSCAN}
        geometry={geometry}
        onKeyDown={(event) =>
          handleBoardKey(
            { state, rowKeys: keysOf, columns: store.index.days.length, drag },
            commands,
            event,
          )
        }
        onOpen={onOpen}
      >
        <DropMarker drag={drag} geometry={geometry} />
      </RosterGrid>
      {props.side}
      <div role="status" className="sr-only">
        {announced}
      </div>
    </DragArea>
  );
}
