import type { UseFormReturn } from 'react-hook-form';
import { CONTRACTS_BILLING_CYCLE, CONTRACTS_GAP_CREDIT } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { useClientOptions } from '#web/lib/data/lookups.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { useTaxNames } from './api.ts';
import {
  BILLING_CYCLE_HINTS,
  BILLING_CYCLE_LABELS,
  type ContractForm,
  GAP_CREDIT_LABELS,
} from './schema.ts';

export function ContractFields(form: UseFormReturn<ContractForm>) {
  const { data: clients = [] } = useClientOptions();
  const { data: taxes = [] } = useTaxNames();
  const field = createFields(form);
  const cycle = form.watch('billing_cycle');
  return (
    <div className="grid gap-6">
      <FieldGrid>
        {field.select(
          'client_id',
          'Client',
          clients.map(({ id, name }) => [id, name]),
          { empty: 'Choose a client', isSearched: true, wide: true },
        )}
        {field.text('title', 'Title', { wide: true, placeholder: 'Guarding of all sites' })}
        {field.day('starts_on', 'From')}
        {field.day('ends_on', 'Until', { optional: true, hint: 'Last day, inclusive.' })}
        {field.count('agreed_headcount', 'Guards agreed', { optional: true })}
        {field.currency('currency', 'Currency')}
      </FieldGrid>
      <section aria-label="Billing">
        <h3 className="mb-3 font-display text-lg">Billing</h3>
        <FieldGrid>
          {field.select(
            'billing_cycle',
            'Billed',
            toOptions(CONTRACTS_BILLING_CYCLE, BILLING_CYCLE_LABELS),
            {
              hint: BILLING_CYCLE_HINTS[cycle],
            },
          )}
          {cycle !== 'on-demand' &&
            field.count('billing_day', 'Billing day', {
              hint: 'Day of the next month on which the period is billed, 1 to 28.',
            })}
          {field.count('payment_terms_days', 'Days to pay')}
          {field.select(
            'tax_name',
            'Tax',
            taxes.map((name) => [name, name]),
            { empty: 'No tax', hint: 'VAT replaces it on days of the registration.' },
          )}
          {field.select('prices_include_tax', 'Prices', [
            ['no', 'Tax comes on top'],
            ['yes', 'Contain the tax'],
          ])}
          {field.select(
            'gap_credit',
            'An uncovered hour takes off',
            toOptions(CONTRACTS_GAP_CREDIT, GAP_CREDIT_LABELS),
          )}
          {form.watch('gap_credit') === 'penalty' &&
            field.amount('gap_factor', 'Penalty factor', {
              hint: '1.00 is the price of the uncovered hour.',
            })}
        </FieldGrid>
      </section>
      <section aria-label="Bill to">
        <h3 className="mb-3 font-display text-lg">Bill to</h3>
        <FieldGrid>
          {field.text('bill_to_name', 'Name', {
            optional: true,
            hint: 'As in the client’s record unless given.',
          })}
          {field.text('bill_to_email', 'E-mail', { optional: true, inputMode: 'email' })}
          {field.text('bill_to_address', 'Address', { optional: true, wide: true })}
          {field.text('purchase_order', 'Order number', {
            optional: true,
            hint: 'The client’s, on each invoice.',
          })}
          {field.notes('notes', 'Notes')}
        </FieldGrid>
      </section>
    </div>
  );
}
