// Where the keyboard focus goes when a dialog opens, while its content arrives, and when it closes.

/** What had the focus before each open dialog, nearest first. */
const openersOf = new WeakMap<Element, readonly HTMLElement[]>();

const DIALOG = '[role=dialog]';

/**
 * Call it in the render that opens the dialog: later the element that opened it may be gone.
 * @returns the elements to give the focus back to, nearest first: a dialog opened from another one also knows what opened that
 */
export function findOpeners(): readonly HTMLElement[] {
  const { activeElement: active } = document;
  if (!(active instanceof HTMLElement) || active === document.body) return [];
  // A menu goes away with the choice, its button stays.
  const menuButton = document.getElementById(
    active.closest('[role=menu]')?.getAttribute('aria-labelledby') ?? '',
  );
  const around = active.closest(DIALOG);
  return [menuButton ?? active, ...((around && openersOf.get(around)) ?? [])];
}

/** A field that is there for screen readers alone is 1 px wide; what is seen instead is another control. */
const isShown = (element: HTMLElement) => element.offsetWidth > 1;

/** A button with a label of its own is a field too: it opens a list to choose from. */
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
 * Focuses what `data-first-focus` marks (a safe button, or a text to read before the fields), else the first field. If
 * that is below the fold, the panel itself gets the focus, so that the text above is read first.
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
 * Watches an open dialog: fields that arrive later than the dialog get the focus too, unless it is elsewhere by then.
 * @returns stops it
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

/** Gives the focus back to what opened the dialog; where that is gone, to the main part of the page. */
export function returnFocus(openers: readonly HTMLElement[]): void {
  const opener = openers.find((element) => element.isConnected && isShown(element));
  const place = opener ?? document.querySelector('main');
  // One dialog may have replaced the other: that one has the focus.
  const open = [...document.querySelectorAll(DIALOG)].at(-1);
  if (!place || (open && !open.contains(place))) return;
  if (!opener) place.tabIndex = -1;
  place.focus({ preventScroll: !opener });
}
