// Deciding by keyboard, while the focus is in a list of issues (WCAG 2.1.4).
import type { KeyboardEvent } from 'react';

const firstButton = (row: Element | undefined | null) =>
  row?.querySelector<HTMLElement>('button:not(:disabled)');

/** @returns the first button of the next list on the screen, of the first one after the last */
function nextPerson(list: Element): HTMLElement | null | undefined {
  const lists = [...document.querySelectorAll('[data-issues]')];
  const after = lists.slice(lists.indexOf(list) + 1);
  return firstButton([...after, ...lists].find((other) => firstButton(other)));
}

/** @returns where the key moves the focus; undefined for keys that don't move it */
function placeOf(
  key: string,
  list: Element,
  at: number,
): { focus: HTMLElement | null | undefined } | undefined {
  if (key === 'arrowdown') return { focus: firstButton(list.children[at + 1]) };
  if (key === 'arrowup') return { focus: firstButton(list.children[at - 1]) };
  return key === 'n' ? { focus: nextPerson(list) } : undefined;
}

/** Presses the row's button with the key as shortcut, or moves the focus; nothing while a text is typed. */
export function decideByKey(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget: list } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (!(target instanceof HTMLElement) || target.closest('input, textarea, select')) return;
  const key = event.key.toLowerCase();
  const at = [...list.children].findIndex((row) => row.contains(target));
  const place = placeOf(key, list, at);
  const button = list.children[at]?.querySelector<HTMLButtonElement>(
    `button[aria-keyshortcuts="${CSS.escape(key.toUpperCase())}"]`,
  );
  if (!place && !button) return;
  event.preventDefault();
  // The button too, so that the focus goes on to the next row once this one is decided.
  (place ? place.focus : button)?.focus();
  button?.click();
}
