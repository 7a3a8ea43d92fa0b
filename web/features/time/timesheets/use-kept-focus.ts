import { useLayoutEffect, useRef } from 'react';
import { keepFocus, placesAbove } from '#web/components/ui/focus-places.ts';

/**
 * @returns what to focus when the list disappears with its last row: the next card with a button, else a heading above. The card
 *   without its list may still be there: rows and cards are loaded apart.
 */
function placesWithout(list: Element): () => readonly HTMLElement[] {
  const card = list.closest('li');
  const cards = card?.parentElement;
  const at = cards && card ? [...cards.children].indexOf(card) : 0;
  const above = placesAbove(list);
  return () => {
    const now = [...(cards?.children ?? [])];
    const buttons = [...now.slice(at), ...now.slice(0, at).reverse()].flatMap(
      (other) => other.querySelector<HTMLElement>('button') ?? [],
    );
    return [...buttons, ...above];
  };
}

/**
 * Keeps the keyboard focus in a list whose rows disappear as they are solved: it moves to the next row's first button.
 * @returns a ref for the list
 */
export function useKeptFocus<Element extends HTMLElement>() {
  const list = useRef<Element>(null);
  /** Index of the row that had the focus; undefined while the focus is elsewhere. */
  const row = useRef<number>(undefined);
  // A layout effect, so that it is there when the first row can be focused.
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const note = ({ target }: FocusEvent) => {
      const at = [...element.children].findIndex(
        (child) => target instanceof Node && child.contains(target),
      );
      row.current = at < 0 ? undefined : at;
      if (at >= 0 && target instanceof HTMLElement) keepFocus(target, placesWithout(element));
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  useLayoutEffect(() => {
    const rows = list.current?.children;
    if (!rows || row.current === undefined || document.activeElement !== document.body) return;
    const next = rows[Math.min(row.current, rows.length - 1)];
    next?.querySelector<HTMLElement>('button')?.focus();
  });
  return list;
}
