import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useCompact } from '#web/lib/app/density.ts';

/** Whether a table fits its place: as it is, with less padding and broken words, or not at all. */
export type Fit =
  | { kind: 'natural' }
  | {
      kind: 'tight' | 'none';
      /** Width in px of each column's content when no word is broken. */
      contents: number[];
      /** Width in px that the content of a column keeps, as long as it has it. */
      least: number;
      /** Width in px of the place from which the table fits again: as it is, and tight. */
      natural: number;
      tight: number;
    };

const NATURAL: Fit = { kind: 'natural' };

/** Tried one after the other before the rows become cards: "Bereavement" needs the first. */
export const NARROWEST = 48;
const LEAST_CONTENT = [104, 72, NARROWEST] as const;

function contentWidth(heading: HTMLElement): number {
  const { paddingLeft, paddingRight } = getComputedStyle(heading);
  return heading.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
}

function findFit(was: Fit, place: HTMLElement): Fit {
  const width = place.clientWidth;
  if (was.kind !== 'natural' && width >= was.natural) return NATURAL;
  if (was.kind === 'none' && width >= was.tight) return { ...was, kind: 'tight' };
  const table = place.querySelector('table');
  const excess = (table?.offsetWidth ?? 0) - (table?.parentElement?.clientWidth ?? 0);
  if (!table || excess <= 0) return was;
  if (was.kind !== 'natural') {
    const least = LEAST_CONTENT.find((px) => px < was.least);
    return least === undefined
      ? { ...was, kind: 'none', tight: width + excess }
      : { ...was, least };
  }
  const contents = [...table.querySelectorAll('th[scope=col]')]
    .filter((heading) => heading instanceof HTMLElement)
    .map(contentWidth);
  return { kind: 'tight', contents, least: LEAST_CONTENT[0], natural: width + excess, tight: 0 };
}

/**
 * Measured, because no width of a column is known before its rows: a table that is too wide would hide figures. It stays tight when other
 * rows come, until its place gets wider.
 *
 * @param place the element around the table
 * @param rows what the table shows
 */
export function useFit(place: RefObject<HTMLElement | null>, rows: readonly object[]): Fit {
  const [fit, setFit] = useState<Fit>(NATURAL);
  const isCompact = useCompact();
  /** The next one while it waits to be rendered. */
  const next = useRef(fit);
  const measured = useRef(isCompact);
  // Before paint. Each step renders the table again, and is checked again.
  useLayoutEffect(() => {
    const element = place.current;
    if (!element || rows.length === 0) return;
    if (measured.current !== isCompact) {
      measured.current = isCompact;
      next.current = NATURAL;
      setFit(NATURAL);
    }
    const check = () => {
      if (next.current !== fit) return;
      // On paper the browser shrinks the page until the table fits.
      if (element.clientWidth === 0 || matchMedia('print').matches) return;
      next.current = findFit(fit, element);
      setFit(next.current);
    };
    check();
    const observer = new ResizeObserver(check);
    observer.observe(element);
    const table = element.querySelector('table');
    if (table) observer.observe(table);
    return () => observer.disconnect();
  }, [place, rows, fit, isCompact]);
  return fit;
}
