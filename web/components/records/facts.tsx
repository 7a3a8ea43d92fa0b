// Names with their values, one under the other; amounts stand in a column.
import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

export function Facts({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <dl className={cn('mt-4 grid gap-1.5 border-t border-line pt-4 text-sm', className)}>
      {children}
    </dl>
  );
}

type FactProps = {
  name: string;
  children: ReactNode;
  /** Digits of one width, to the right. */
  amount?: boolean;
  /** The one that counts: larger than the others. */
  strong?: boolean;
  className?: string;
};

export function Fact({ name, children, amount, strong, className }: FactProps) {
  return (
    <div className={cn('flex items-baseline justify-between gap-4', className)}>
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd
        className={cn(
          'min-w-0 text-right break-words',
          amount && 'whitespace-nowrap tabular-nums',
          strong && 'text-base font-semibold',
        )}
      >
        {children}
      </dd>
    </div>
  );
}
