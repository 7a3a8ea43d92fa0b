import type { ReactNode } from 'react';

/** Less important text of a cell, below the first line; nothing without text. */
export function SecondLine({ children }: { children: ReactNode }) {
  if (!children) return null;
  return <span className="block max-w-72 truncate text-sm font-normal text-muted">{children}</span>;
}
