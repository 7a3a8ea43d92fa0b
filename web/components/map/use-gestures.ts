// Moves a map by pointer and wheel: one pointer pulls it or its pin, two pinch it, a press that stays where it is picks a point.
import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { type Point, pulled, type Size, type View, zoomedAt } from './projection.ts';

/** How far a press may stray and still be one, in pixels: a finger trembles more than a hand on a mouse. */
const STILL_PX = { touch: 9, other: 4 };
/** A notch of a wheel is about 100 pixels, and less than half a zoom. */
const PIXELS_PER_ZOOM = 240;
/** Firefox counts lines. */
const LINE_PX = 16;
/** Two fingers can't be told apart when they are nearer. */
const NEAREST_FINGERS_PX = 10;

export type ChangeView = (change: (view: View) => View) => void;

/** What can be pulled over the map: the element marked with `data-pin`. */
export type Pin = {
  /** Its tip, from the upper left corner of the map. */
  at: Point;
  onMove: (to: Point) => void;
};

type Gestures = {
  /** The element that the handlers are given to. */
  ref: RefObject<HTMLElement | null>;
  size: Size | undefined;
  pin?: Pin | undefined;
  onView: ChangeView;
  onPick: (point: Point) => void;
};

const between = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
const middleOf = (a: Point, b: Point) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** @returns where a pointer is, from the upper left corner of an element */
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
  /** The pin while it is held: where it was, and where the pointer took hold of it. */
  const held = useRef<{ from: Point; by: Point }>(undefined);

  // React listens to wheels without the right to keep the page from scrolling.
  useEffect(() => {
    const element = ref.current;
    if (!element || !size) return;
    function turn(event: WheelEvent) {
      if (!element || !size) return;
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1);
      // A pinch on a touchpad comes as a wheel with Ctrl, in small steps.
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
      zoomedAt(pulled(view, { x: to.x - from.x, y: to.y - from.y }), view.zoom + nearer, to, size),
    );
  }
  function move(event: PointerEvent<HTMLElement>) {
    const before = pointers.current.get(event.pointerId);
    if (!before || !size) return;
    const now = pointIn(event.currentTarget, event);
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    const still = event.pointerType === 'touch' ? STILL_PX.touch : STILL_PX.other;
    // Until then the pointer counts as where it came down, so that nothing of its way is lost.
    if (!other && !hasMoved.current && between(before, now) <= still) return;
    hasMoved.current = true;
    pointers.current.set(event.pointerId, now);
    if (other) {
      pinch(before, now, other);
    } else if (held.current && pin) {
      const { from, by } = held.current;
      pin.onMove({ x: from.x + now.x - by.x, y: from.y + now.y - by.y });
    } else {
      onView((view) => pulled(view, { x: now.x - before.x, y: now.y - before.y }));
    }
  }
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      const point = pointIn(event.currentTarget, event);
      // Of fingers that pinch one may come down on the pin: then the pin stays where it was.
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
