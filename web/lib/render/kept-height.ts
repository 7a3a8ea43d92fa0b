import { type RefObject, useLayoutEffect, useRef } from 'react';

const keyOf = (name: string) => `height-${name}`;

/** @returns CSS pixels; undefined if it was never shown at this width */
function readHeight(name: string): number | undefined {
  try {
    const [width, height] = (localStorage.getItem(keyOf(name)) ?? '').split(' ').map(Number);
    return width === innerWidth && height ? height : undefined;
  } catch {
    // The browser gives no storage.
    return undefined;
  }
}

function writeHeight(name: string, height: number): void {
  try {
    const value = `${innerWidth} ${height}`;
    if (localStorage.getItem(keyOf(name)) !== value) localStorage.setItem(keyOf(name), value);
  } catch {
    // The next page begins with the height of its design.
  }
}

/**
 * While a part loads it is as high as this device last showed it, so that what comes does not move the buttons below under a
 * thumb. Layouts are told apart by the width of the window.
 * @param name of the part, kept in this browser
 */
export function useKeptHeight(
  name: string,
  isLoaded: boolean,
): { ref: RefObject<HTMLElement | null>; minHeight: number | undefined } {
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (isLoaded && ref.current) writeHeight(name, ref.current.getBoundingClientRect().height);
  });
  return { ref, minHeight: isLoaded ? undefined : readHeight(name) };
}
