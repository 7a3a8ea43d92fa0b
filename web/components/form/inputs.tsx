import type { ComponentProps } from 'react';
import { company } from '#company';
import { Input } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
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

type OptionsProps<Value extends string> = {
  values: readonly Value[];
  labels: Record<Value, string>;
};

export function Options<Value extends string>({ values, labels }: OptionsProps<Value>) {
  return values.map((value) => (
    <option key={value} value={value}>
      {labels[value]}
    </option>
  ));
}

type CurrencySelectProps = ComponentProps<'select'> & { current: string | undefined };

/** The company's currencies, and the one that the record already has. */
export function CurrencySelect({ current, ...rest }: CurrencySelectProps) {
  const currencies = new Set<string>([...company.currencies, ...(current ? [current] : [])]);
  return (
    <Select {...rest}>
      {[...currencies].map((currency) => (
        <option key={currency} value={currency}>
          {currency}
        </option>
      ))}
    </Select>
  );
}
