import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import {
  type Cycle,
  DAY_MINUTES,
  formatMinute,
  parseMinute,
  type Slot,
} from '#shared/demand/cycle.ts';
import { cn } from '#web/lib/cn.ts';
import { dayLabel } from './figures.ts';
import {
  addSlot,
  cutPieces,
  editSlot,
  moveSlot,
  type Piece,
  removeSlot,
  resizeSlot,
  STEP,
  snapped,
} from './slot-moves.ts';
import type { SlotsProps } from './slot-table.tsx';

/** Pixels of one lane: the smallest touch target. */
const LANE = 44;
/** A shorter drag is a click. */
const CLICK_MINUTES = STEP;

const percent = (minutes: number): string => `${(minutes / DAY_MINUTES) * 100}%`;

/** From press to release; minutes count from midnight of the day where it began. */
type Drag =
  | { kind: 'draw'; day: number; from: number; to: number }
  | { kind: 'move' | 'resize'; slot: number; by: number; x: number; y: number };

function preview(cycle: Cycle, drag: Drag | undefined): Cycle {
  if (drag === undefined || drag.kind === 'draw') return cycle;
  const act = drag.kind === 'move' ? moveSlot : resizeSlot;
  return { ...cycle, slots: act(cycle, drag.slot, drag.by) };
}

type BlockProps = {
  piece: Piece;
  from: string;
  onKeyDown: (event: KeyboardEvent, slot: Slot) => void;
  onPointerDown: (event: PointerEvent, slot: Slot, kind: 'move' | 'resize') => void;
};

function Block({ piece, from, onKeyDown, onPointerDown }: BlockProps) {
  const { slot, lane } = piece;
  const end = formatMinute(parseMinute(slot.start) + slot.minutes);
  const times = `${slot.start} to ${end}`;
  const place = {
    left: percent(piece.from),
    width: percent(piece.to - piece.from),
    top: lane * LANE + 3,
    height: LANE - 6,
  };
  const look = cn(
    'absolute flex scroll-my-24 touch-none items-center overflow-hidden rounded-sm border border-primary bg-primary px-2 text-sm font-semibold text-primary-ink select-none',
    piece.isRest ? 'rounded-l-none opacity-70' : 'cursor-grab',
    piece.to === DAY_MINUTES && 'rounded-r-none',
  );
  if (piece.isRest) return <span aria-hidden="true" className={look} style={place} />;
  return (
    <button
      type="button"
      data-slot={slot.slot}
      aria-label={`${dayLabel(from, slot.day)}, ${times}, ${slot.headcount} ${slot.headcount === 1 ? 'guard' : 'guards'}`}
      className={look}
      style={place}
      onKeyDown={(event) => onKeyDown(event, slot)}
      onPointerDown={(event) => onPointerDown(event, slot, 'move')}
    >
      <span className="truncate">
        {slot.headcount > 1 && `${slot.headcount} × `}
        {slot.start}
      </span>
      {piece.to - piece.from === slot.minutes && (
        <span
          aria-hidden="true"
          className="absolute inset-y-0 right-0 w-3 cursor-ew-resize"
          onPointerDown={(event) => onPointerDown(event, slot, 'resize')}
        />
      )}
    </button>
  );
}

const HOURS = [0, 6, 12, 18, 24];

/**
 * The cycle, a row for each day: dragging over free time adds a slot, a slot is dragged to another time or day, and its
 * right edge changes its length. All of it also with keys.
 */
export function CycleGrid({ cycle, from, headcount, onChange }: SlotsProps) {
  const grid = useRef<HTMLFieldSetElement>(null);
  const [drag, setDrag] = useState<Drag>();
  const helpId = useId();
  const shown = preview(cycle, drag);
  const days = Array.from({ length: cycle.cycle_days }, (_, day) => day);

  /** Focus follows a slot to another row, where it is another element. */
  const focus = (slot: number) =>
    requestAnimationFrame(() =>
      grid.current?.querySelector<HTMLElement>(`[data-slot="${slot}"]`)?.focus(),
    );
  const minuteAt = (row: Element, x: number): number => {
    const { left, width } = row.getBoundingClientRect();
    const minute = snapped(((x - left) / width) * DAY_MINUTES);
    return Math.min(DAY_MINUTES, Math.max(0, minute));
  };
  function add(day: number, begin: number, minutes?: number) {
    const { slots, added } = addSlot(cycle, day, begin, {
      headcount,
      ...(minutes === undefined ? {} : { minutes }),
    });
    onChange(slots);
    if (added !== undefined) focus(added);
  }
  function startDrawing(event: PointerEvent<HTMLDivElement>, day: number) {
    if (event.target !== event.currentTarget || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = minuteAt(event.currentTarget, event.clientX);
    setDrag({ kind: 'draw', day, from: at, to: at });
  }
  function startDragging(event: PointerEvent, slot: Slot, kind: 'move' | 'resize') {
    if (event.button !== 0) return;
    event.stopPropagation();
    grid.current?.setPointerCapture(event.pointerId);
    setDrag({ kind, slot: slot.slot, by: 0, x: event.clientX, y: event.clientY });
  }
  /** The drag with the pointer where the event has it. */
  function draggedTo(event: PointerEvent): Drag | undefined {
    const row = grid.current?.querySelector('[data-day]');
    if (drag === undefined || !row) return drag;
    if (drag.kind === 'draw') return { ...drag, to: minuteAt(row, event.clientX) };
    const { width, height } = row.getBoundingClientRect();
    const minutes = snapped(((event.clientX - drag.x) / width) * DAY_MINUTES);
    const rows = drag.kind === 'move' ? Math.round((event.clientY - drag.y) / height) : 0;
    return { ...drag, by: minutes + rows * DAY_MINUTES };
  }
  function drop(event: PointerEvent) {
    // React may not have rendered the last move yet.
    const last = draggedTo(event);
    if (last === undefined) return;
    setDrag(undefined);
    if (last.kind !== 'draw') {
      if (last.by !== 0) onChange(preview(cycle, last).slots);
      focus(last.slot);
      return;
    }
    const begin = Math.min(last.from, last.to);
    const minutes = Math.abs(last.to - last.from);
    if (minutes < CLICK_MINUTES) add(last.day, Math.min(begin, DAY_MINUTES - STEP));
    else add(last.day, begin, minutes);
  }
  function press(event: KeyboardEvent, slot: Slot) {
    const { key, shiftKey } = event;
    const steps: Record<string, number> = {
      ArrowLeft: -STEP,
      ArrowRight: STEP,
      ArrowUp: -DAY_MINUTES,
      ArrowDown: DAY_MINUTES,
    };
    const step = steps[key];
    if (step !== undefined) {
      const isLength = shiftKey && Math.abs(step) === STEP;
      onChange((isLength ? resizeSlot : moveSlot)(cycle, slot.slot, step));
    } else if (key === 'Delete' || key === 'Backspace') {
      onChange(removeSlot(cycle, slot.slot));
    } else if (key === '+' || key === '-') {
      const count = slot.headcount + (key === '+' ? 1 : -1);
      onChange(editSlot(cycle, slot.slot, { headcount: Math.min(100, Math.max(1, count)) }));
    } else return;
    event.preventDefault();
    focus(slot.slot);
  }
  return (
    <div>
      <fieldset
        ref={grid}
        aria-label="Cycle"
        aria-describedby={helpId}
        className="max-h-112 min-w-0 overflow-y-auto rounded-md border border-line"
        onPointerMove={(event) => setDrag(draggedTo(event))}
        onPointerUp={drop}
        onPointerCancel={() => setDrag(undefined)}
      >
        <div aria-hidden="true" className="relative ml-24 h-6 text-xs text-muted sm:ml-40">
          {HOURS.map((hour) => (
            <span
              key={hour}
              className={cn(
                'absolute top-1',
                hour === 24 ? '-translate-x-full pr-1' : hour > 0 && '-translate-x-1/2',
              )}
              style={{ left: percent(hour * 60) }}
            >
              {String(hour).padStart(2, '0')}
            </span>
          ))}
        </div>
        {days.map((day) => {
          const pieces = cutPieces(shown, day);
          const lanes = Math.max(1, ...pieces.map(({ lane }) => lane + 1));
          const drawn = drag?.kind === 'draw' && drag.day === day ? drag : undefined;
          return (
            <div key={day} className="flex border-t border-line">
              <button
                type="button"
                className="w-24 shrink-0 scroll-my-24 px-2 text-left text-xs hover:bg-sunken sm:w-40 sm:text-sm"
                aria-label={`Add a slot on ${dayLabel(from, day)}`}
                onClick={() => add(day, 6 * 60)}
              >
                {dayLabel(from, day)}
              </button>
              <div
                data-day={day}
                className="relative flex-1 cursor-crosshair touch-pan-y border-l border-line bg-[linear-gradient(90deg,var(--line)_1px,transparent_1px)] bg-size-[25%_100%]"
                style={{ height: lanes * LANE }}
                onPointerDown={(event) => startDrawing(event, day)}
              >
                {pieces.map((piece) => (
                  <Block
                    key={`${piece.slot.slot} ${piece.isRest}`}
                    {...{ piece, from }}
                    onKeyDown={press}
                    onPointerDown={startDragging}
                  />
                ))}
                {drawn && (
                  <span
                    aria-hidden="true"
                    className="absolute inset-y-1 rounded-sm border border-dashed border-primary bg-primary/25"
                    style={{
                      left: percent(Math.min(drawn.from, drawn.to)),
                      width: percent(Math.abs(drawn.to - drawn.from)),
                    }}
                  />
                )}
              </div>
            </div>
          );
        })}
      </fieldset>
      <p id={helpId} className="mt-1.5 text-sm text-muted">
        Drag over free time to add a slot. Drag a slot to move it, its end to make it longer. Keys:
        arrows move, Shift and arrows change the length, + and − the guards, Delete removes.
      </p>
    </div>
  );
}
