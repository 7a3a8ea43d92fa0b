import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

const OPENER = cn(
  'inline-flex min-h-11 min-w-11 items-center text-left font-semibold underline-offset-4',
  'group-hover:underline after:absolute after:inset-0',
  'compact:block compact:max-w-full compact:min-h-8 compact:truncate',
);

/** Makes the first cell of a row a button that covers the row. */
export function Opener({
  onOpen,
  children,
}: {
  onOpen: (() => void) | undefined;
  children: ReactNode;
}) {
  if (!onOpen) return children;
  return (
    <button type="button" onClick={onOpen} className={OPENER}>
      {children}
    </button>
  );
}
