import { useLayoutEffect, useRef, useState } from 'react';

/**
 * @param rem minimum width in rem
 * @returns a ref for the element to measure, and whether it is wide enough (true until measured)
 */
export function useRoom(rem: number) {
  const ref = useRef<HTMLDivElement>(null);
  const [hasRoom, setRoom] = useState(true);
  // Before first paint, so that no table flashes up before the cards.
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const minimum = rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const measure = () => {
      const width = element.clientWidth;
      if (width > 0) setRoom(width >= minimum);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [rem]);
  return { ref, hasRoom };
}
