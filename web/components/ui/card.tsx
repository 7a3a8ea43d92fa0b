import type { ComponentProps } from 'react';
import { cn } from '#web/lib/cn.ts';

export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      className={cn('rounded-sm border border-line bg-raised shadow-panel', className)}
      {...rest}
    />
  );
}
