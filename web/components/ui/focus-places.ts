// Where the keyboard focus goes when the element that has it disappears: the browser moves it to <body>, the start of the page.

export const DIALOG = '[role=dialog]';
const HEADINGS = 'h1, h2, h3, h4';

/** Parts only for screen readers are 1 px wide. */
export const isShown = (element: HTMLElement) => element.offsetWidth > 1;

/** @returns the headings above the element in its dialog or screen, nearest first, then the dialog or screen itself */
export function placesAbove(element: Element): readonly HTMLElement[] {
  const around = element.closest<HTMLElement>(`${DIALOG}, main`);
  if (!around) return [];
  const headings = [...around.querySelectorAll<HTMLElement>(HEADINGS)];
  const next = headings.findIndex(
    (heading) =>
      (heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) === 0,
  );
  return [...headings.slice(0, next < 0 ? undefined : next).reverse(), around];
}

/** Focuses the first of these that is shown, or <main>, and the next one when that disappears. */
export function focusPlace(places: readonly HTMLElement[]): void {
  const shown = places.find((element) => element.isConnected && isShown(element));
  const place = shown ?? document.querySelector('main');
  // A dialog that is open keeps the focus.
  const open = [...document.querySelectorAll(DIALOG)].at(-1);
  if (!place || (open && !open.contains(place))) return;
  const isText = place.tabIndex < 0;
  if (isText) place.tabIndex = -1;
  place.focus({ preventScroll: isText });
  if (place !== document.querySelector('main')) keepFocus(place, () => places);
}

/**
 * Moves the focus when this element, which has it, disappears.
 * @param placesThen called when it has disappeared; default: what is above it now
 */
export function keepFocus(element: HTMLElement, placesThen?: () => readonly HTMLElement[]): void {
  const above = placesThen ? [] : placesAbove(element);
  const observer = new MutationObserver(() => {
    if (element.isConnected) return;
    stop();
    if (document.activeElement === document.body) focusPlace(placesThen?.() ?? above);
  });
  function stop() {
    observer.disconnect();
    removeEventListener('focusin', stopElsewhere);
  }
  function stopElsewhere({ target }: FocusEvent) {
    if (target !== element) stop();
  }
  observer.observe(document.body, { childList: true, subtree: true });
  addEventListener('focusin', stopElsewhere);
}

/**
 * Moves the focus when the element that has it now disappears. A dialog moves it itself when it closes.
 * @param placesThen as for `keepFocus`
 */
export function keepFocusOutsideDialogs(placesThen?: () => readonly HTMLElement[]): void {
  const { activeElement: active } = document;
  if (active instanceof HTMLElement && active.closest('main') && !active.closest(DIALOG)) {
    keepFocus(active, placesThen);
  }
}
