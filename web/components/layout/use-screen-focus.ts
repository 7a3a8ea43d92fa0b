import { useEffect, useRef } from 'react';
import { focusPlace, isShown, keepFocus } from '#web/components/ui/focus-places.ts';

/** @returns for `keepFocus` of a link to another view of the same screen: what the new view begins with */
export function placesOfScreen(): readonly HTMLElement[] {
  const main = document.querySelector('main');
  if (!main) return [];
  const heading = [...main.querySelectorAll<HTMLElement>('h1, h2')].find(isShown);
  return heading ? [heading, main] : [main];
}

/** Moves the focus to a new screen if the link that opened it disappears with the former one. */
export function useScreenFocus(path: string): void {
  const known = useRef(path);
  useEffect(() => {
    if (known.current === path) return;
    known.current = path;
    const { activeElement: active } = document;
    if (active === document.body) focusPlace(placesOfScreen());
    // The former screen is replaced when the code of the new one has loaded.
    else if (active instanceof HTMLElement) keepFocus(active, placesOfScreen);
  }, [path]);
}
