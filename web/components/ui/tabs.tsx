import { Tabs as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '#web/lib/cn.ts';

export const Tabs = Primitive.Root;

export function TabsList({ className, ...rest }: ComponentProps<typeof Primitive.List>) {
  return (
    <Primitive.List
      className={cn('grid auto-cols-fr grid-flow-col border-b border-line', className)}
      {...rest}
    />
  );
}

export function TabsTrigger({ className, ...rest }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      className={cn(
        '-mb-px min-h-12 border-b-2 border-transparent px-3 text-sm font-semibold text-muted',
        'transition-colors hover:text-ink focus-visible:-outline-offset-3',
        'data-[state=active]:border-accent-fill data-[state=active]:text-ink',
        className,
      )}
      {...rest}
    />
  );
}

export const TabsContent = Primitive.Content;
