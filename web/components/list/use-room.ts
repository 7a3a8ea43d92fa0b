// Whether a table has the room it needs: a sidebar beside it takes some, which no media query sees.
import { useLayoutEffect, useRef, useState } from 'react';

/**
 * @param rem the least width, in rem
 * @returns a ref for the element whose width counts, and whether that is enough; yes, until it is measured
 */
export function useRoom(rem: number) {
  const ref = useRef<HTMLDivElement>(null);
  const [hasRoom, setRoom] = useState(true);
  // Before the first picture, so that no table flashes up where cards belong.
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const least = rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const measure = () => {
      const width = element.clientWidth;
      if (width > 0) setRoom(width >= least);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [rem]);
  return { ref, hasRoom };
}
