import { type ReactNode, useId } from 'react';
import { cn } from '#web/lib/cn.ts';
import { Card } from './card.tsx';

type PanelProps = {
  title: string;
  /** One of many on its screen. */
  isSmall?: boolean;
  children: ReactNode;
  className?: string;
};

export function Panel({ title, isSmall = false, children, className }: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <Card className={cn('h-full', isSmall ? 'p-4' : 'p-5 sm:p-6', className)}>
        <h3
          id={id}
          className={cn('font-display leading-tight', isSmall ? 'mb-2 text-lg' : 'mb-4 text-xl')}
        >
          {title}
        </h3>
        {children}
      </Card>
    </section>
  );
}

/** Scrolls sideways by itself when its content is wider than the screen. */
export function ScrollRegion({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard user could not scroll it otherwise (WCAG 2.1.1).
    <section aria-label={label} tabIndex={0} className="overflow-x-auto">
      {children}
    </section>
  );
}
