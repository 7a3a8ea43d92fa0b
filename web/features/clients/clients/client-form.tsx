import type { UseFormReturn } from 'react-hook-form';
import { CLIENTS_PAYMENT_METHOD } from '#shared/database.values.ts';
import { formatDollars } from '#shared/money.ts';
import { CalculatedField, createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { parseWholeNumber } from '#web/lib/form-fields/whole-number-field.ts';
import { PAYMENT_METHOD_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { type ClientForm, clientSchema, ratePerGuard } from './schema.ts';

const METHODS = toOptions(CLIENTS_PAYMENT_METHOD, PAYMENT_METHOD_LABELS);

export function ClientFields(form: UseFormReturn<ClientForm>) {
  const { number_of_guards: guardsRule, monthly_rate: rateRule } = clientSchema.shape;
  const [guards, rate] = form.watch(['number_of_guards', 'monthly_rate']);
  const isKnown = guardsRule.safeParse(guards).success && rateRule.safeParse(rate).success;
  const field = createFields(form);
  return (
    <FieldGrid>
      {field.text('name', 'Client Name', { wide: true })}
      {field.count('number_of_guards', 'Number of Guards')}
      {field.amount('monthly_rate', 'Monthly Rate (USD)')}
      <CalculatedField label="Rate per Guard">
        {isKnown
          ? formatDollars(ratePerGuard(amountOrNull(rate) ?? 0, parseWholeNumber(guards)))
          : '-'}
      </CalculatedField>
      {field.text('location', 'Location')}
      {field.select('payment_method', 'Payment Method', METHODS)}
    </FieldGrid>
  );
}
