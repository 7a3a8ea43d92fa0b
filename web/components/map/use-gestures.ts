// Map gestures: one pointer drags the map or its pin, two pinch to zoom, a tap picks a point.
import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { dragged, type Point, type Size, type View, zoomedAt } from './projection.ts';

/** Maximum movement of a tap, CSS pixels. Fingers are less steady than a mouse. */
const STILL_PX = { touch: 9, other: 4 };
/** A wheel notch is about 100 pixels. */
const PIXELS_PER_ZOOM = 240;
/** Firefox reports lines. */
const LINE_PX = 16;
/** Minimum pinch distance, CSS pixels. */
const NEAREST_FINGERS_PX = 10;

export type ChangeView = (change: (view: View) => View) => void;

/** The element with `data-pin`, draggable over the map. */
export type Pin = {
  /** Its tip, relative to the map's top left corner. */
  at: Point;
  onMove: (to: Point) => void;
};

type Gestures = {
  /** The element with the handlers. */
  ref: RefObject<HTMLElement | null>;
  size: Size | undefined;
  pin?: Pin | undefined;
  onView: ChangeView;
  onPick: (point: Point) => void;
};

const between = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
const middleOf = (a: Point, b: Point) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** @returns position of a pointer relative to the element's top left corner */
function pointIn(element: Element, event: { clientX: number; clientY: number }): Point {
  const { left, top } = element.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

const isOnPin = ({ target }: PointerEvent) =>
  target instanceof Element && target.closest('[data-pin]') !== null;

/** @returns pointer handlers for the map's element */
export function useGestures({ ref, size, pin, onView, onPick }: Gestures) {
  const pointers = useRef(new Map<number, Point>());
  const hasMoved = useRef(false);
  /** The dragged pin: its original position, and where the pointer grabbed it. */
  const held = useRef<{ from: Point; by: Point }>(undefined);

  // React's wheel listeners are passive, so they can't stop the page from scrolling.
  useEffect(() => {
    const element = ref.current;
    if (!element || !size) return;
    function turn(event: WheelEvent) {
      if (!element || !size) return;
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1);
      // Touchpad pinches arrive as wheel events with Ctrl, in small steps.
      const steps = (pixels / PIXELS_PER_ZOOM) * (event.ctrlKey ? 4 : 1);
      const point = pointIn(element, event);
      onView((view) => zoomedAt(view, view.zoom - steps, point, size));
    }
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [ref, size, onView]);

  function pinch(before: Point, now: Point, other: Point) {
    if (!size) return;
    const from = middleOf(before, other);
    const to = middleOf(now, other);
    const apart = (point: Point) => Math.max(NEAREST_FINGERS_PX, between(point, other));
    const nearer = Math.log2(apart(now) / apart(before));
    onView((view) =>
      zoomedAt(dragged(view, { x: to.x - from.x, y: to.y - from.y }), view.zoom + nearer, to, size),
    );
  }
  function move(event: PointerEvent<HTMLElement>) {
    const before = pointers.current.get(event.pointerId);
    if (!before || !size) return;
    const now = pointIn(event.currentTarget, event);
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    const still = event.pointerType === 'touch' ? STILL_PX.touch : STILL_PX.other;
    // Until then the start point counts, so that no movement is lost.
    if (!other && !hasMoved.current && between(before, now) <= still) return;
    hasMoved.current = true;
    pointers.current.set(event.pointerId, now);
    if (other) {
      pinch(before, now, other);
    } else if (held.current && pin) {
      const { from, by } = held.current;
      pin.onMove({ x: from.x + now.x - by.x, y: from.y + now.y - by.y });
    } else {
      onView((view) => dragged(view, { x: now.x - before.x, y: now.y - before.y }));
    }
  }
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      const point = pointIn(event.currentTarget, event);
      // One finger of a pinch may touch the pin, which must not move then.
      if (held.current && hasMoved.current) pin?.onMove(held.current.from);
      const isFirst = pointers.current.size === 0;
      held.current = isFirst && pin && isOnPin(event) ? { from: pin.at, by: point } : undefined;
      hasMoved.current = !isFirst;
      event.currentTarget.setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, point);
    },
    onPointerMove: move,
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (!pointers.current.delete(event.pointerId)) return;
      const isPress = pointers.current.size === 0 && !hasMoved.current && !held.current;
      held.current = undefined;
      if (isPress) onPick(pointIn(event.currentTarget, event));
    },
    onPointerCancel(event: PointerEvent<HTMLElement>) {
      pointers.current.delete(event.pointerId);
      held.current = undefined;
    },
  };
}
