// Keyboard focus of dialogs: when they open, when their content loads, and when they close.
import { DIALOG, isShown, placesAbove } from './focus-places.ts';

/** Where the focus was before each open dialog, nearest first. */
const openersOf = new WeakMap<Element, readonly HTMLElement[]>();

/**
 * Call it in the render that opens the dialog; later the element that opened it may be gone.
 * @returns elements for `focusPlace` when it closes, nearest first: the opener, the headings above it, the openers of an outer dialog
 */
export function findOpeners(): readonly HTMLElement[] {
  const { activeElement: active } = document;
  if (!(active instanceof HTMLElement) || active === document.body) return [];
  // The menu item disappears with its menu; the menu's button stays.
  const menuButton = document.getElementById(
    active.closest('[role=menu]')?.getAttribute('aria-labelledby') ?? '',
  );
  const opener = menuButton ?? active;
  const around = active.closest(DIALOG);
  return [opener, ...placesAbove(opener), ...((around && openersOf.get(around)) ?? [])];
}

/** A button with a label is a field: it opens a list of choices. */
function isField(element: Element): element is HTMLElement {
  if (element.matches(':disabled, [type=hidden]')) return false;
  if (element instanceof HTMLButtonElement) return element.labels.length > 0;
  return element.matches('input, select, textarea');
}

function isInView(element: HTMLElement): boolean {
  const view = element.closest('[data-dialog-body]')?.getBoundingClientRect();
  const { top, bottom } = element.getBoundingClientRect();
  return view !== undefined && top >= view.top && bottom <= view.bottom;
}

/**
 * Focuses the element with `data-first-focus` (a safe button, or text to read first), otherwise the first field; or the
 * panel, if that is below the fold, so that the text above is read first.
 */
export function focusFirst(panel: HTMLElement): void {
  const first =
    panel.querySelector<HTMLElement>('[data-first-focus]') ??
    [...panel.querySelectorAll('input, select, textarea, button')]
      .filter(isField)
      .find((field) => isShown(field));
  (first && isInView(first) ? first : panel).focus({ preventScroll: true });
}

/**
 * Focuses fields that are rendered later than the dialog, unless the focus has moved.
 * @returns stops watching
 */
export function watchFocus(panel: HTMLElement, openers: readonly HTMLElement[]): () => void {
  openersOf.set(panel, openers);
  const observer = new MutationObserver((changes) => {
    const { activeElement } = document;
    if (activeElement !== panel && activeElement !== document.body) return;
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    const hasField = added.some(
      (node) => node instanceof Element && [node, ...node.querySelectorAll('*')].some(isField),
    );
    if (hasField) focusFirst(panel);
  });
  observer.observe(panel, { childList: true, subtree: true });
  return () => observer.disconnect();
}
