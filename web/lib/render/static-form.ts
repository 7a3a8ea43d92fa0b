// Hands what the user did on the static sign-in page over to the screen that replaces it.

/** On the root element: type and name of the button that was pressed before the app had loaded (scripts/chunks.mjs). */
const PRESSED = 'data-pressed';

let form: HTMLFormElement | null = null;
let focused: HTMLInputElement | undefined;

const inputOf = (target: unknown): HTMLInputElement | undefined =>
  target instanceof HTMLInputElement && target.name ? target : undefined;

/** @returns whether the page shows the form already, so that rendering can wait until the whole screen has loaded */
export function keepStaticForm(root: HTMLElement): boolean {
  if (document.documentElement.classList.contains('opens-elsewhere')) return false;
  form = root.querySelector('form');
  focused = inputOf(document.activeElement);
  form?.addEventListener('focusin', ({ target }) => {
    focused = inputOf(target);
  });
  return form !== null;
}

function continueInput(old: HTMLInputElement, next: HTMLInputElement): void {
  next.value ||= old.value;
  if (old !== focused) return;
  next.focus({ preventScroll: true });
  // Fields for e-mail addresses have no selection.
  if (next.type !== 'email') next.setSelectionRange(old.selectionStart, old.selectionEnd);
}

/** Presses the button of the same type and name. */
function pressAgain(): void {
  const page = document.documentElement;
  const pressed = page.getAttribute(PRESSED);
  page.removeAttribute(PRESSED);
  const button = [...document.querySelectorAll('button')].find(
    ({ type, ariaLabel, textContent }) => `${type} ${ariaLabel ?? textContent}` === pressed,
  );
  button?.focus();
  button?.click();
}

/**
 * Moves values, focus and cursor, and presses the button that the user pressed. To be called in a layout effect: by then React
 * has removed the static form, whose controls still have their values.
 */
export function continueStaticForm(next: HTMLFormElement | null): void {
  if (!form || !next) return;
  for (const element of form.elements) {
    const old = inputOf(element);
    const successor = old && inputOf(next.elements.namedItem(old.name));
    if (successor) continueInput(old, successor);
  }
  form = null;
  // After the effects of the screen's other parts.
  setTimeout(pressAgain);
}
