import { ListChecks } from 'lucide-react';
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
} from 'react';
import { formatCount } from '#shared/count.ts';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import type { BulkActions } from './list-actions.ts';
import { type Selection, useSelectionState } from './selection.ts';

const ROW = 'input[data-row]';

/** Moves the focus to the checkbox of the next or previous row. @returns its row's id */
function focusNeighbour(from: HTMLInputElement, step: 1 | -1): string | undefined {
  const all = [...(from.closest('table, ul')?.querySelectorAll<HTMLInputElement>(ROW) ?? [])];
  const next = all[all.indexOf(from) + step];
  next?.focus();
  return next?.dataset.row;
}

type SelectRowProps<Row> = { selection: Selection<Row>; id: string; name: string };

/** Covers its positioned parent. Shift extends the selection from the last row that was toggled. */
export function SelectRow<Row>({ selection, id, name }: SelectRowProps<Row>) {
  const isChosen = useSelectionState(selection, ({ chosen }) => chosen.has(id));

  function press(event: KeyboardEvent<HTMLInputElement>) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
    if (step !== undefined) {
      event.preventDefault();
      const next = focusNeighbour(event.currentTarget, step);
      if (!event.shiftKey || next === undefined) return;
      if (!isChosen) selection.toggle(id);
      selection.toggle(next, true);
    } else if (event.key === ' ' && event.shiftKey) {
      event.preventDefault();
      selection.toggle(id, true);
    }
  }
  return (
    <Checkbox
      data-row={id}
      aria-label={`Select ${name}`}
      checked={isChosen}
      onKeyDown={press}
      onMouseDown={(event) => {
        // Shift would select the text between the rows.
        if (event.shiftKey) event.preventDefault();
      }}
      onChange={({ nativeEvent }) =>
        selection.toggle(id, nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey)
      }
    />
  );
}

/** In the heading: all rows of the page. */
export function SelectPage<Row>({ selection }: { selection: Selection<Row> }) {
  const input = useRef<HTMLInputElement>(null);
  const rows = useSelectionState(selection, ({ page }) => page.length);
  const chosen = useSelectionState(
    selection,
    (state) => state.page.filter(({ id }) => state.chosen.has(id)).length,
  );
  const isMixed = chosen > 0 && chosen < rows;
  useEffect(() => {
    if (input.current) input.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <Checkbox
      ref={input}
      aria-label={`Select all ${formatCount(rows)} on this page`}
      checked={rows > 0 && chosen === rows}
      onChange={() => selection.setPage(chosen < rows)}
    />
  );
}

/** Above the cards of a phone: taps on cards select them. */
export function SelectButton<Row>({ selection }: { selection: Selection<Row> }) {
  const isSelecting = useSelectionState(selection, (state) => state.isSelecting);
  return (
    <Button
      variant="secondary"
      className="px-4"
      aria-pressed={isSelecting}
      onClick={() => (isSelecting ? selection.clear() : selection.start())}
    >
      <ListChecks aria-hidden="true" className="size-4.5" />
      {isSelecting ? 'Done' : 'Select'}
    </Button>
  );
}

/** On a card: covers it while cards are being selected. */
export function SelectCard<Row>(props: SelectRowProps<Row>) {
  const isSelecting = useSelectionState(props.selection, (state) => state.isSelecting);
  if (!isSelecting) return null;
  return (
    <div className="-mt-0.5 shrink-0 [&>input]:z-10">
      <SelectRow {...props} />
    </div>
  );
}

function SelectionStatus<Row>(props: {
  selection: Selection<Row>;
  noun: BulkActions<Row>['noun'];
}) {
  const { selection, noun } = props;
  const count = useSelectionState(selection, ({ chosen }) => chosen.size);
  return (
    <p role="status" aria-label="Selection" className="sr-only">
      {count > 0 && `${formatCount(count)} ${noun[count === 1 ? 0 : 1]} selected`}
    </p>
  );
}

/** Escape clears the selection, unless a dialog or a search field needs the key. */
function useEscape<Row>(bar: RefObject<HTMLElement | null>, selection: Selection<Row>) {
  useEffect(() => {
    function press(event: globalThis.KeyboardEvent) {
      const { target } = event;
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (target instanceof HTMLInputElement && target.type === 'search') return;
      if (document.querySelector('[role=dialog], [role=menu], [role=listbox]')) return;
      // The focus must not vanish with the bar.
      const list = bar.current?.closest('[data-list]');
      if (bar.current?.contains(document.activeElement)) {
        list?.querySelector<HTMLInputElement>('input[data-row]')?.focus();
      }
      selection.clear();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [bar, selection]);
}

type SelectionDockProps<Row> = {
  selection: Selection<Row>;
  noun: BulkActions<Row>['noun'];
  /** The bar, loaded when it is first needed. */
  children: ReactNode;
};

/** The place of the bar at the lower edge of the screen, while rows are selected. */
export function SelectionDock<Row>({ selection, noun, children }: SelectionDockProps<Row>) {
  const dock = useRef<HTMLDivElement>(null);
  const isEmpty = useSelectionState(selection, ({ chosen }) => chosen.size === 0);
  useEscape(dock, selection);
  return (
    <>
      <SelectionStatus selection={selection} noun={noun} />
      {!isEmpty && (
        <div
          ref={dock}
          className="sticky bottom-[var(--update-bar,0px)] z-20 mt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] print:hidden"
        >
          <LazyPart>{children}</LazyPart>
        </div>
      )}
    </>
  );
}

/** How long a finger rests on a card to select it. */
const LONG_PRESS_MS = 500;
/** A finger that moves farther scrolls. CSS pixels. */
const STILL = 10;

/** Handlers for an element that selects the row on a long press of a finger. */
export function useLongPress(onLongPress: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef({ x: 0, y: 0 });
  const isDone = useRef(false);
  const cancel = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    onPointerDown({ pointerType, clientX, clientY }: PointerEvent) {
      isDone.current = false;
      if (pointerType !== 'touch') return;
      start.current = { x: clientX, y: clientY };
      timer.current = setTimeout(() => {
        isDone.current = true;
        onLongPress();
      }, LONG_PRESS_MS);
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const { x, y } = start.current;
      if (Math.hypot(clientX - x, clientY - y) > STILL) cancel();
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    onContextMenu(event: MouseEvent) {
      if (isDone.current) event.preventDefault();
    },
    /** The click that follows the press must not open the row. */
    onClickCapture(event: MouseEvent) {
      if (!isDone.current) return;
      isDone.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
