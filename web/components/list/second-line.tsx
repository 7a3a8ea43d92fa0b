import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

type SecondLineProps = {
  /** In compact rows it follows the first line, or is left out. */
  compact?: 'beside' | 'hidden';
  /** Takes the width that the column has without it, and ends in an ellipsis there. */
  narrow?: boolean;
  className?: string;
  children: ReactNode;
};

/** Less important text of a cell, below the first line; nothing without text. */
export function SecondLine({ compact = 'beside', narrow, className, children }: SecondLineProps) {
  if (!children) return null;
  return (
    <span
      title={narrow && typeof children === 'string' ? children : undefined}
      className={cn(
        'block truncate text-sm font-normal text-muted',
        narrow ? 'max-w-full lg:w-0 lg:min-w-full' : 'max-w-72',
        compact === 'hidden' ? 'compact:hidden' : 'compact:ml-2 compact:inline',
        className,
      )}
    >
      {children}
    </span>
  );
}
