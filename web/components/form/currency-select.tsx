import type { ComponentProps } from 'react';
import { company } from '#company';
import { Select } from '#web/components/ui/select.tsx';

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
