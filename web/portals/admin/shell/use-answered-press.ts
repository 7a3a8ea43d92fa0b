// When a screen is drawn after the press that opens it. One that was open before has its rows, and would hold the press up:
// the sidebar shows where one is going first. A new one is drawn at once, since drawing it is what asks for its rows.
import { useDeferredValue, useEffect, useState } from 'react';

/** @returns whether the screen at this address may be drawn in this pass */
export function useAnsweredPress(pathname: string): boolean {
  const [opened] = useState(() => new Set<string>());
  const isAnswered = useDeferredValue(pathname) === pathname;
  useEffect(() => {
    if (isAnswered) opened.add(pathname);
  }, [isAnswered, opened, pathname]);
  return isAnswered || !opened.has(pathname);
}
