// Dragging by mouse and by a long press. One draggable for the whole board: the cell is found from the pointer's
// position, so nothing is measured or rendered per cell.
import {
  DndContext,
  type DragStartEvent,
  MouseSensor,
  TouchSensor,
  useDraggable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type TouchEvent,
  useEffect,
  useRef,
} from 'react';
import { cn } from '#web/lib/cn.ts';
import type { DragState } from './drag-state.ts';
import type { CellAt } from './grid-state.ts';
import type { GridGeometry } from './roster-grid.tsx';
import type { Carried, Plan } from './roster-moves.ts';
import { useTopics } from './topics.ts';

const carrier = (target: EventTarget | null) =>
  target instanceof Element ? target.closest('[data-carries]') : null;

class CellMouseSensor extends MouseSensor {
  static override activators: typeof MouseSensor.activators = [
    {
      eventName: 'onMouseDown',
      handler: ({ nativeEvent }: MouseEvent) =>
        nativeEvent.button === 0 && !nativeEvent.shiftKey && carrier(nativeEvent.target) !== null,
    },
  ];
}

class CellTouchSensor extends TouchSensor {
  static override activators: typeof TouchSensor.activators = [
    {
      eventName: 'onTouchStart',
      handler: ({ nativeEvent }: TouchEvent) =>
        nativeEvent.touches.length === 1 && carrier(nativeEvent.target) !== null,
    },
  ];
}

/** Lets the page scroll until the finger has rested. */
const LONG_PRESS = { delay: 300, tolerance: 8 };

type DragAreaProps = {
  drag: DragState;
  geometry: RefObject<GridGeometry | null>;
  /** Carried by the pressed element; undefined if it can't be moved. */
  pickUp: (target: Element) => Carried | undefined;
  plan: (carried: Carried, target: CellAt, keeps: boolean) => Plan;
  onDrop: (plan: Plan) => void;
  children: ReactNode;
};

function Surface({ children }: { children: ReactNode }) {
  const { setNodeRef, listeners } = useDraggable({ id: 'board' });
  return (
    <div ref={setNodeRef} className="flex min-h-0 flex-1 gap-4 print:hidden" {...listeners}>
      {children}
    </div>
  );
}

/** Distance from the edge in CSS pixels where the board begins to scroll, and its greatest speed per frame. */
const EDGE = 56;
const SPEED = 18;

export function DragArea({ drag, geometry, pickUp, plan, onDrop, children }: DragAreaProps) {
  const sensors = useSensors(
    useSensor(CellMouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(CellTouchSensor, { activationConstraint: LONG_PRESS }),
  );
  const pointer = useRef({ x: 0, y: 0 });
  const stopTracking = useRef(() => {});
  useEffect(() => () => stopTracking.current(), []);

  function retarget(keeps = drag.current?.keeps ?? false) {
    const { current } = drag;
    if (!current) return;
    const { x, y } = pointer.current;
    const target = geometry.current?.cellAt(x, y);
    const isSame =
      target?.row === current.target?.row &&
      target?.column === current.target?.column &&
      keeps === current.keeps;
    if (isSame) return;
    drag.set({ ...current, keeps, target, plan: target && plan(current.carried, target, keeps) });
  }

  function track() {
    let frame = 0;
    // A guard from the list beside the board crosses its edge, where scrolling would move the target away.
    let scrolls = geometry.current?.cellAt(pointer.current.x, pointer.current.y) !== undefined;
    const follow = () => {
      const { x, y } = pointer.current;
      const shown = document.getElementById('carried');
      if (shown) {
        // Beside the pointer, on the side that has room.
        const left = Math.min(x + 14, innerWidth - shown.offsetWidth - 8);
        const isLow = y + 16 + shown.offsetHeight > innerHeight;
        const top = isLow ? y - 16 - shown.offsetHeight : y + 16;
        shown.style.transform = `translate(${left}px, ${top}px)`;
      }
      if (geometry.current?.scrollNear(x, y, EDGE, scrolls ? SPEED : 0)) scrolls = true;
      retarget();
      frame = requestAnimationFrame(follow);
    };
    const move = (event: globalThis.MouseEvent | globalThis.TouchEvent) => {
      const at = 'touches' in event ? event.touches[0] : event;
      if (at) pointer.current = { x: at.clientX, y: at.clientY };
    };
    const copyKey = (event: KeyboardEvent) => {
      if (event.key === 'Control' || event.key === 'Meta') retarget(event.type === 'keydown');
    };
    addEventListener('mousemove', move);
    addEventListener('touchmove', move, { passive: true });
    addEventListener('keydown', copyKey);
    addEventListener('keyup', copyKey);
    frame = requestAnimationFrame(follow);
    stopTracking.current = () => {
      cancelAnimationFrame(frame);
      removeEventListener('mousemove', move);
      removeEventListener('touchmove', move);
      removeEventListener('keydown', copyKey);
      removeEventListener('keyup', copyKey);
    };
  }

  function start({ activatorEvent }: DragStartEvent) {
    const { target } = activatorEvent;
    const carried = target instanceof Element ? pickUp(target) : undefined;
    if (!carried) return;
    const at =
      'touches' in activatorEvent
        ? (activatorEvent as TouchEvent['nativeEvent']).touches[0]
        : activatorEvent;
    if (at && 'clientX' in at) pointer.current = { x: Number(at.clientX), y: Number(at.clientY) };
    drag.set({ carried, keeps: false, byKeyboard: false, target: undefined, plan: undefined });
    track();
  }
  function end(isDropped: boolean) {
    // A quick hand lets go before the next frame has looked where it is.
    if (isDropped) retarget();
    const { current } = drag;
    stopTracking.current();
    drag.set(undefined);
    if (isDropped && current?.plan) onDrop(current.plan);
  }
  return (
    <DndContext
      sensors={sensors}
      autoScroll={false}
      collisionDetection={() => []}
      // The board announces in its own words.
      accessibility={{
        announcements: {
          onDragStart: () => undefined,
          onDragOver: () => undefined,
          onDragEnd: () => undefined,
          onDragCancel: () => undefined,
        },
      }}
      onDragStart={start}
      onDragEnd={() => end(true)}
      onDragCancel={() => end(false)}
    >
      <Surface>{children}</Surface>
      <CarriedChip drag={drag} />
    </DndContext>
  );
}

function CarriedChip({ drag }: { drag: DragState }) {
  useTopics(drag.topics, 'drag');
  const { current } = drag;
  if (!current || current.byKeyboard) return null;
  return (
    <div
      id="carried"
      className="pointer-events-none fixed top-0 left-0 z-60 max-w-72 rounded-sm border border-line-strong bg-raised px-3 py-1.5 text-sm font-semibold shadow-overlay"
    >
      {current.carried.name}
      <Reason plan={current.plan} keeps={current.keeps} />
    </div>
  );
}

function Reason({ plan, keeps }: { plan: Plan | undefined; keeps: boolean }) {
  if (!plan) return <span className="block text-xs font-normal text-muted">Ctrl copies</span>;
  const [problem] = plan.problems;
  if (problem) {
    return <span className="block text-xs font-normal text-danger">✕ {problem.message}</span>;
  }
  if (plan.edit.moves.length === 0) return null;
  return (
    <span className="block text-xs font-normal text-success">
      ✓ {keeps ? `Copy: ${plan.edit.label.replace(/^Copy /, '')}` : plan.edit.label}
    </span>
  );
}

type DropMarkerProps = { drag: DragState; geometry: RefObject<GridGeometry | null> };

/** Over the cell that the drop would change. */
export function DropMarker({ drag, geometry }: DropMarkerProps) {
  useTopics(drag.topics, 'drag');
  const { current } = drag;
  const rect = current?.target && geometry.current?.rectOf(current.target);
  if (!current || !rect) return null;
  const [problem] = current.plan?.problems ?? [];
  const isRefused = problem !== undefined;
  return (
    <div
      className={cn(
        'pointer-events-none absolute z-12 rounded-xs border-2',
        isRefused ? 'border-dashed border-danger bg-danger/15' : 'border-success bg-success/15',
      )}
      style={rect}
    >
      {current.byKeyboard && (
        <span
          className={cn(
            'absolute top-full left-0 z-20 mt-1 w-max max-w-64 rounded-sm border border-line-strong bg-raised px-2 py-1 text-xs font-semibold shadow-overlay',
            isRefused ? 'text-danger' : 'text-success',
          )}
        >
          {isRefused
            ? `✕ ${problem.message}`
            : `✓ ${current.plan?.edit.label || current.carried.name}`}
        </span>
      )}
    </div>
  );
}
