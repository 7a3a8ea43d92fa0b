import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

type ItemProps = { name: string; className?: string | undefined; children: ReactNode };

/** A name with its value below, within a `dl`. */
export function Item({ name, className, children }: ItemProps) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className={cn('[overflow-wrap:anywhere]', className)}>{children}</dd>
    </div>
  );
}

type FiguresProps = {
  /** In their order, already formatted. */
  figures: readonly (readonly [name: string, figure: string])[];
  /** The columns on a desk; two on phones and three between. */
  className: string;
};

/** The sums at the head of a page, to compare at a glance. */
export function Figures({ figures, className }: FiguresProps) {
  return (
    <dl className={cn('grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3 sm:gap-x-6', className)}>
      {figures.map(([name, figure]) => (
        // Tens of millions fit into half a phone.
        <Item key={name} name={name} className="font-semibold tabular-nums sm:text-lg">
          {figure}
        </Item>
      ))}
    </dl>
  );
}
