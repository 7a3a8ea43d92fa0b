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
};

/**
 * The sums at the head of a page, to compare at a glance: two columns on phones and three on tablets, which hold tens of millions;
 * on a desk each is as wide as its figure needs.
 */
export function Figures({ figures }: FiguresProps) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3 sm:gap-x-6 lg:flex lg:flex-wrap lg:*:min-w-max lg:*:flex-1">
      {figures.map(([name, figure]) => (
        <Item key={name} name={name} className="font-semibold tabular-nums sm:text-lg">
          {figure}
        </Item>
      ))}
    </dl>
  );
}
