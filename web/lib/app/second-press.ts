// The second half of a double tap must not press what the first one has brought under the finger: Undo where Confirm was, or
// Clock In where the post orders were.

/** Longest time between two taps that count as one double tap. A mouse has the system's own, see `isRepeated`. */
const DOUBLE_TAP_MS = 350;
/** CSS pixels: further away is another target, even within the time. */
const SAME_PLACE = 32;

const PRESSABLE =
  'a, button, input, label, select, summary, textarea, [role^="menuitem"], [role="option"], [role="tab"]';

/** Actions of toasts, which appear over what was pressed and take it back. */
const OVERLAID = '[data-sonner-toast] button';
const DEAD_MS = 5_000;

type Press = { on: Element; name: string; x: number; y: number; at: number };

function pressedAt(target: EventTarget | null): Element | undefined {
  if (!(target instanceof Element)) return undefined;
  const found = target.closest(PRESSABLE) ?? target;
  // The browser clicks a label's control, too.
  return found instanceof HTMLLabelElement ? (found.control ?? found) : found;
}

/** Tells two uses of one element apart: React keeps the button when its text changes. */
const nameOf = (element: Element): string =>
  element.matches(PRESSABLE) ? (element.getAttribute('aria-label') ?? element.textContent) : '';

/** @param isTouch not of `event`: Safari's clicks are no pointer events */
function isRepeated(event: MouseEvent, last: Press, isTouch: boolean): boolean {
  if (Math.hypot(event.clientX - last.x, event.clientY - last.y) > SAME_PLACE) return false;
  return event.detail > 1 || (isTouch && event.timeStamp - last.at < DOUBLE_TAP_MS);
}

/** Whether what was pressed is still where it was, under the same name. */
function isUnchanged({ on, name, x, y }: Press): boolean {
  return pressedAt(document.elementFromPoint(x, y)) === on && nameOf(on) === name;
}

const isReplaced = (event: MouseEvent, last: Press, isTouch: boolean) =>
  isRepeated(event, last, isTouch) && !isUnchanged(last);

/** Whether a toast has come where something else was pressed a moment ago. */
function isUnderThumb(on: Element, event: MouseEvent, last: Press): boolean {
  if (!on.matches(OVERLAID) || last.on.matches(OVERLAID)) return false;
  const distance = Math.hypot(event.clientX - last.x, event.clientY - last.y);
  return distance <= SAME_PLACE && event.timeStamp - last.at < DEAD_MS;
}

/**
 * Ignores the second click of a double click or double tap where the first has replaced what was pressed. The same button twice,
 * as of a counter or a keypad, is not affected. Call once per page, before anything is rendered.
 */
export function ignoreSecondPresses(): void {
  let last: Press | undefined;
  let isTouch = false;
  document.addEventListener(
    'pointerdown',
    ({ pointerType }) => {
      isTouch = pointerType === 'touch';
    },
    { capture: true },
  );
  document.addEventListener(
    'click',
    (event) => {
      const on = pressedAt(event.target);
      // Enter, Space and scripts click without a count.
      if (!on || event.detail === 0) return;
      if (last && (isUnderThumb(on, event, last) || isReplaced(event, last, isTouch))) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
      if (last && isUnderThumb(on, event, last)) return;
      const { clientX: x, clientY: y, timeStamp: at } = event;
      last = { on, name: nameOf(on), x, y, at };
    },
    { capture: true },
  );
}
