// Moves a map by pointer and wheel: one pointer pulls it, two pinch it, a press that stays where it is picks a point.
import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { type Point, pulled, type Size, type View, zoomedAt } from './projection.ts';

/** A finger that rests still trembles. */
const STILL_PX = 5;
/** A notch of a wheel is about 100 pixels, and less than half a zoom. */
const PIXELS_PER_ZOOM = 240;
/** Firefox counts lines. */
const LINE_PX = 16;

export type ChangeView = (change: (view: View) => View) => void;

type Gestures = {
  /** The element that the handlers are given to. */
  ref: RefObject<HTMLElement | null>;
  size: Size | undefined;
  onView: ChangeView;
  onPick: (point: Point) => void;
};

const between = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
const middleOf = (a: Point, b: Point) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** @returns where a pointer is, from the upper left corner of an element */
export function pointIn(element: Element, event: { clientX: number; clientY: number }): Point {
  const { left, top } = element.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

/** @returns pointer handlers for the map's element */
export function useGestures({ ref, size, onView, onPick }: Gestures) {
  const pointers = useRef(new Map<number, Point>());
  const travelled = useRef(0);

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

  function move(event: PointerEvent<HTMLElement>) {
    const before = pointers.current.get(event.pointerId);
    if (!before || !size) return;
    const now = pointIn(event.currentTarget, event);
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    pointers.current.set(event.pointerId, now);
    if (other) {
      const from = middleOf(before, other);
      const to = middleOf(now, other);
      const nearer = Math.log2(between(now, other) / Math.max(1, between(before, other)));
      onView((view) =>
        zoomedAt(
          pulled(view, { x: to.x - from.x, y: to.y - from.y }),
          view.zoom + nearer,
          to,
          size,
        ),
      );
      travelled.current = Number.POSITIVE_INFINITY;
      return;
    }
    travelled.current += between(before, now);
    if (travelled.current <= STILL_PX) return;
    onView((view) => pulled(view, { x: now.x - before.x, y: now.y - before.y }));
  }
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      if (pointers.current.size === 0) travelled.current = 0;
      pointers.current.set(event.pointerId, pointIn(event.currentTarget, event));
    },
    onPointerMove: move,
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (!pointers.current.delete(event.pointerId)) return;
      const isPress = pointers.current.size === 0 && travelled.current <= STILL_PX;
      if (isPress) onPick(pointIn(event.currentTarget, event));
    },
    onPointerCancel(event: PointerEvent<HTMLElement>) {
      pointers.current.delete(event.pointerId);
    },
  };
}
