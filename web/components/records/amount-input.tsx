// Where an amount of money is typed: digits to the right, the number keys on a phone.
import type { ComponentProps } from 'react';
import { Input } from '#web/components/ui/input.tsx';
import { cn } from '#web/lib/cn.ts';

export function AmountInput({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <Input
      inputMode="decimal"
      autoComplete="off"
      placeholder="0.00"
      className={cn('text-right tabular-nums', className)}
      {...rest}
    />
  );
}
