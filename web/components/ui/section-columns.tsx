import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

/** The sections below the head of a page: one column, or a wide and a narrow one on a desk. */
export function SectionColumns({ wide, narrow }: { wide: ReactNode[]; narrow: ReactNode[] }) {
  const columns = [wide, narrow]
    .map((sections) => sections.filter(Boolean))
    .filter((sections) => sections.length > 0);
  return (
    <div
      className={cn(
        'mt-5 grid grid-cols-1 items-start gap-5',
        columns.length > 1 && 'lg:grid-cols-[3fr_2fr]',
      )}
    >
      {columns.map((sections) => (
        <div key={sections === columns[0] ? 'first' : 'second'} className="grid min-w-0 gap-5">
          {sections}
        </div>
      ))}
    </div>
  );
}
