import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

type SecondLineProps = {
  /** In compact rows it follows the first line, or is left out. */
  compact?: 'beside' | 'hidden';
  /** Takes the width that the column has without it, and ends in an ellipsis there. */
  narrow?: boolean;
  /** Outside tables: all of it, in several lines if need be. */
  wraps?: boolean;
  className?: string;
  children: ReactNode;
};

/** Less important text below the first line of a row; nothing without text. */
export function SecondLine(props: SecondLineProps) {
  const { compact = 'beside', narrow = false, wraps = false, className, children } = props;
  if (!children) return null;
  return (
    <span
      title={narrow && typeof children === 'string' ? children : undefined}
      className={cn(
        'block text-sm font-normal text-muted',
        !wraps && [
          // Without room for a table it breaks: its whole width would push other columns out, and hide figures.
          'truncate in-data-tight:line-clamp-3 in-data-tight:whitespace-normal',
          narrow ? 'max-w-full lg:w-0 lg:min-w-full' : 'max-w-72',
          compact === 'hidden' ? 'compact:hidden' : 'compact:ml-2 compact:inline',
        ],
        className,
      )}
    >
      {children}
    </span>
  );
}
