import { type ReactNode, useEffect, useRef, useState } from 'react';
import { cn } from '#web/lib/cn.ts';

/** Scrolls its content, and fades the edge behind which there is more. */
export function ScrollFade({ className, children }: { className?: string; children: ReactNode }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState({ above: false, below: false });
  useEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const measure = () => {
      const above = box.scrollTop > 4;
      const below = box.scrollTop + box.clientHeight < box.scrollHeight - 4;
      setHidden((was) => (was.above === above && was.below === below ? was : { above, below }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    for (const child of box.children) observer.observe(child);
    box.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', measure);
    };
  }, []);
  const fade =
    'pointer-events-none absolute inset-x-0 h-10 from-sidebar to-transparent transition-opacity';
  return (
    <div className="relative min-h-0 flex-1">
      <div ref={scroller} className={cn('h-full overflow-x-hidden overflow-y-auto', className)}>
        {children}
      </div>
      <div
        aria-hidden="true"
        className={cn(fade, 'top-0 bg-linear-to-b', !hidden.above && 'opacity-0')}
      />
      <div
        aria-hidden="true"
        className={cn(fade, 'bottom-0 bg-linear-to-t', !hidden.below && 'opacity-0')}
      />
    </div>
  );
}
