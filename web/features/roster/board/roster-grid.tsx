// The virtualised grid of both views: sticky days and first column, one roving tab stop, selection by mouse and keyboard.
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { guessedFrame } from '#web/lib/render/guessed-frame.ts';
import { type CellAt, type GridState, HEAD } from './grid-state.ts';
import type { BoardRow } from './roster-rows.ts';
import { useTopics } from './topics.ts';

export type GridGeometry = {
  /** @returns the cell at a point of the window; undefined beside the cells */
  cellAt: (x: number, y: number) => CellAt | undefined;
  /** @returns the cell's rectangle in the grid's scrolled content */
  rectOf: (
    cell: CellAt,
  ) => { left: number; top: number; width: number; height: number } | undefined;
  scrollTo: (row: string) => void;
  /** Scrolls when the point is near an edge, in CSS pixels. @returns whether it is over the board and near no edge */
  scrollNear: (x: number, y: number, edge: number, speed: number) => boolean;
  focusActive: () => void;
};

type RosterGridProps = {
  label: string;
  rows: readonly BoardRow[];
  rowHeight: (row: BoardRow) => number;
  columns: number;
  /** CSS widths. */
  headWidth: string;
  columnWidth: string;
  state: GridState;
  header: ReactNode;
  renderRow: (row: BoardRow) => ReactNode;
  /** Rows above and below what is visible. */
  overscan: number;
  geometry: Ref<GridGeometry>;
  onKeyDown: (event: KeyboardEvent) => void;
  onOpen: (cell: CellAt) => void;
  /** The drop marker. */
  children?: ReactNode;
};

export const HEADER_HEIGHT = 52;

type LineProps = Pick<RosterGridProps, 'renderRow'> & {
  row: BoardRow;
  index: number;
  top: number;
  height: number;
};

const Line = memo(function Line({ row, index, top, height, renderRow }: LineProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the cells take the focus.
    // biome-ignore lint/a11y/useSemanticElements: a virtualised grid can't be a table.
    <div
      role="row"
      aria-rowindex={index + 2}
      className="absolute inset-x-0 grid [grid-template-columns:var(--columns)] [grid-template-rows:100%]"
      style={{ top, height }}
    >
      {renderRow(row)}
    </div>
  );
});

/** @returns the cell that an element of the grid is in */
export function findCell(target: EventTarget | null): CellAt | undefined {
  const cell = target instanceof Element ? target.closest('[data-row][data-column]') : null;
  const row = cell?.getAttribute('data-row');
  const column = cell?.getAttribute('data-column');
  return row == null || column == null ? undefined : { row, column: Number(column) };
}

export function RosterGrid(props: RosterGridProps) {
  const { label, rows, rowHeight, columns, headWidth, columnWidth, state, renderRow } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  useTopics(state.topics, 'active');
  const indexOf = useMemo(() => new Map(rows.map((row, index) => [row.key, index])), [rows]);
  const activeIndex = state.active ? indexOf.get(state.active.row) : undefined;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => {
      const row = rows[index];
      return row ? rowHeight(row) : 0;
    },
    getItemKey: (index) => rows[index]?.key ?? index,
    scrollMargin: HEADER_HEIGHT,
    scrollPaddingStart: HEADER_HEIGHT,
    overscan: props.overscan,
    initialRect: guessedFrame(),
    useFlushSync: false,
    // The active row stays mounted, so that it keeps the focus when it is scrolled away.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(startIndex - overscan, 0);
      const to = Math.min(endIndex + overscan, count - 1);
      const shown = Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
      if (activeIndex === undefined || (activeIndex >= from && activeIndex <= to)) return shown;
      return activeIndex < from ? [activeIndex, ...shown] : [...shown, activeIndex];
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights follow the rows.
  useEffect(() => virtualizer.measure(), [rows, rowHeight, virtualizer]);

  const focusActive = () => {
    const { active } = state;
    const cells = body.current?.querySelectorAll<HTMLElement>('[data-active]') ?? [];
    for (const cell of cells)
      if (cell.dataset.row === active?.row) cell.focus({ preventScroll: true });
  };
  const top = (index: number) => virtualizer.measurementsCache[index];
  const columnsBox = () => {
    const first = scroller.current?.querySelector('[data-first-column]');
    const total = body.current;
    if (!(first instanceof HTMLElement) || !total) return undefined;
    const left = first.offsetLeft;
    return { left, width: (total.offsetWidth - left) / columns };
  };
  useImperativeHandle(props.geometry, () => ({
    cellAt(x, y) {
      const box = scroller.current?.getBoundingClientRect();
      const across = columnsBox();
      if (!box || !across || !scroller.current) return undefined;
      if (x < box.left || x > box.right || y < box.top + HEADER_HEIGHT || y > box.bottom)
        return undefined;
      if (x < box.left + across.left) return undefined;
      const column = Math.floor(
        (x - box.left + scroller.current.scrollLeft - across.left) / across.width,
      );
      const item = virtualizer.getVirtualItemForOffset(y - box.top + scroller.current.scrollTop);
      const row = item && rows[item.index];
      return row && column >= 0 && column < columns ? { row: row.key, column } : undefined;
    },
    rectOf({ row, column }) {
      const item = top(indexOf.get(row) ?? -1);
      const across = columnsBox();
      if (!item || !across) return undefined;
      const { left, width } = across;
      return {
        left: left + column * width,
        top: item.start - HEADER_HEIGHT,
        width,
        height: item.size,
      };
    },
    scrollNear(x, y, edge, speed) {
      const element = scroller.current;
      const box = element?.getBoundingClientRect();
      if (!element || !box) return false;
      const top = box.top + HEADER_HEIGHT;
      const pull = (before: number, after: number) =>
        before < edge
          ? -Math.min(1, 1 - before / edge)
          : after < edge
            ? Math.min(1, 1 - after / edge)
            : 0;
      const left = box.left + (columnsBox()?.left ?? 0);
      const isBeside = x < box.left - edge || x > box.right + edge;
      const isAbove = y < top || y > box.bottom;
      const down = pull(y - top, box.bottom - y);
      const right = x > box.left ? pull(Math.max(x - left, 0), box.right - x) : 0;
      if (!isBeside) element.scrollTop += speed * down;
      if (!isBeside && !isAbove) element.scrollLeft += speed * right;
      return !isBeside && !isAbove && x > left && down === 0 && right === 0;
    },
    scrollTo: (row) => virtualizer.scrollToIndex(indexOf.get(row) ?? 0, { align: 'center' }),
    focusActive,
  }));

  const lastFocus = useRef(state.active);
  useLayoutEffect(() => {
    const { active } = state;
    if (active === lastFocus.current) return;
    lastFocus.current = active;
    // Only a board that has the focus moves it.
    if (activeIndex === undefined || !body.current?.contains(document.activeElement)) return;
    virtualizer.scrollToIndex(activeIndex, { align: 'auto' });
    focusActive();
    const cell = document.activeElement;
    if (cell instanceof HTMLElement && active && active.column !== HEAD) showColumn(cell);
  });
  /** Not behind the sticky first column. */
  function showColumn(cell: HTMLElement) {
    const box = scroller.current;
    const across = columnsBox();
    if (!box || !across) return;
    const hiddenLeft = box.scrollLeft + across.left - cell.offsetLeft;
    const hiddenRight = cell.offsetLeft + cell.offsetWidth - box.scrollLeft - box.clientWidth;
    if (hiddenLeft > 0) box.scrollLeft -= hiddenLeft;
    else if (hiddenRight > 0) box.scrollLeft += hiddenRight;
  }

  function press(event: MouseEvent) {
    const cell = findCell(event.target);
    if (!cell || event.button !== 0) return;
    if (event.shiftKey) state.extendTo(cell);
    else if (event.ctrlKey || event.metaKey) state.toggle(cell);
    else state.activate(cell);
    // A finger has neither double clicks nor keys.
    const { nativeEvent } = event;
    if (nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch') {
      props.onOpen(cell);
    }
  }
  const style = {
    '--columns': `${headWidth} repeat(${columns}, minmax(0, 1fr))`,
    '--board': `calc(${headWidth} + ${columns} * ${columnWidth})`,
  } as CSSProperties;
  const hasTabStop = activeIndex !== undefined;
  return (
    <div
      ref={scroller}
      className="@container relative min-h-0 flex-1 overflow-auto overscroll-contain rounded-sm border border-line bg-raised shadow-panel print:overflow-visible"
      style={style}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a virtualised grid can't be a table. */}
      <div
        role="grid"
        aria-label={label}
        aria-describedby="roster-keys"
        aria-rowcount={rows.length + 1}
        aria-colcount={columns + 1}
        aria-multiselectable="true"
        className="w-full min-w-(--board)"
        tabIndex={hasTabStop ? -1 : 0}
        onFocus={(event) => {
          const first = rows.find(({ kind }) => kind !== 'site');
          if (event.target !== event.currentTarget || hasTabStop || !first) return;
          state.activate({ row: first.key, column: 0 });
          requestAnimationFrame(focusActive);
        }}
        onKeyDown={props.onKeyDown}
        onClick={press}
        onDoubleClick={(event) => {
          const cell = findCell(event.target);
          if (cell) props.onOpen(cell);
        }}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        <div
          role="row"
          tabIndex={-1}
          aria-rowindex={1}
          className="sticky top-0 z-20 grid border-b border-line bg-sunken [grid-template-columns:var(--columns)] [grid-template-rows:100%]"
          style={{ height: HEADER_HEIGHT }}
        >
          {props.header}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        <div
          ref={body}
          role="rowgroup"
          className="relative isolate"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <Line
                  key={row.key}
                  row={row}
                  index={item.index}
                  top={item.start - HEADER_HEIGHT}
                  height={item.size}
                  renderRow={renderRow}
                />
              )
            );
          })}
          {props.children}
        </div>
      </div>
    </div>
  );
}
