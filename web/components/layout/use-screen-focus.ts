import { useEffect, useRef } from 'react';
import { focusPlace, isShown, keepFocus } from '#web/components/ui/focus-places.ts';

/** @returns for `keepFocus` of a link to another view of the same screen: what the new view begins with */
export function placesOfScreen(): readonly HTMLElement[] {
  const main = document.querySelector('main');
  if (!main) return [];
  const heading = [...main.querySelectorAll<HTMLElement>('h1, h2')].find(isShown);
  return heading ? [heading, main] : [main];
}

/**
 * Moves the focus to a new screen if the link that opened it disappears with the former one, and to the first screen after
 * the form of the sign-in.
 */
export function useScreenFocus(path: string): void {
  const known = useRef<string>(undefined);
  useEffect(() => {
    const isFirst = known.current === undefined;
    if (known.current === path) return;
    known.current = path;
    // Nobody has pressed anything on a page that has just been opened: it begins at its start.
    if (isFirst && !navigator.userActivation?.hasBeenActive) return;
    const { activeElement: active } = document;
    if (active === document.body) focusPlace(placesOfScreen());
    // The former screen is replaced when the code of the new one has loaded.
    else if (!isFirst && active instanceof HTMLElement) keepFocus(active, placesOfScreen);
  }, [path]);
}
