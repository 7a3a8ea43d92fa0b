import { Plus, Trash2 } from 'lucide-react';
import { type UseFormReturn, useFieldArray } from 'react-hook-form';
import { QUOTE_LINES_VAT_TREATMENT } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { useClientOptions } from '#web/lib/data/lookups.ts';
import { VAT_TREATMENT_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { NEW_LINE, type QuoteForm } from './quote-schema.ts';

const LEGEND = 'mb-4 font-display text-xl leading-tight';

type FormProps = { form: UseFormReturn<QuoteForm> };

function LineFields({ form }: FormProps) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'lines' });
  const field = createFields(form);
  return (
    <fieldset>
      <legend className={LEGEND}>Posts</legend>
      {fields.map(({ id }, at) => {
        const name = `lines.${at}` as const;
        return (
          <div
            key={id}
            className="mb-5 grid grid-cols-2 items-start gap-4 border-b border-line pb-5 lg:grid-cols-4 xl:grid-cols-[2fr_5.5rem_6.5rem_6.5rem_8rem_10rem_auto]"
          >
            {field.text(`${name}.post_name`, 'Post', { className: 'max-xl:col-span-2' })}
            {field.count(`${name}.guards`, 'Guards', { hint: 'At once' })}
            {field.count(`${name}.hours_a_day`, 'Hours', { hint: 'A day', inputMode: 'decimal' })}
            {field.count(`${name}.days_a_week`, 'Days', { hint: 'A week' })}
            {field.amount(`${name}.rate`, 'Rate', {
              hint: `An hour, ${form.watch('currency')}`,
            })}
            {field.select(
              `${name}.vat_treatment`,
              'VAT',
              toOptions(QUOTE_LINES_VAT_TREATMENT, VAT_TREATMENT_LABELS),
              { className: 'max-xl:col-span-2' },
            )}
            {fields.length > 1 && (
              <Button
                variant="danger-ghost"
                size="icon"
                className="xl:mt-6.5"
                aria-label={`Remove post ${at + 1}`}
                onClick={() => remove(at)}
              >
                <Trash2 aria-hidden="true" className="size-4" />
              </Button>
            )}
          </div>
        );
      })}
      <Button variant="secondary" onClick={() => append(NEW_LINE)}>
        <Plus aria-hidden="true" className="size-4" /> Add post
      </Button>
    </fieldset>
  );
}

export function QuoteFields({ form }: FormProps) {
  const field = createFields(form);
  const { data: clients = [] } = useClientOptions();
  return (
    <div className="grid gap-9">
      <fieldset>
        <legend className={LEGEND}>Client and site</legend>
        <FieldGrid>
          {field.select(
            'client_id',
            'Client',
            clients.map(({ id, name }) => [id, name]),
            {
              empty: 'A new client',
              isSearched: true,
              register: {
                onChange: ({ target }: { target: { value: string } }) => {
                  const chosen = clients.find(({ id }) => id === target.value);
                  if (chosen) form.setValue('client_name', chosen.name, { shouldValidate: true });
                },
              },
            },
          )}
          {field.text('client_name', 'Name on the quote')}
          {field.text('contact_name', 'Contact', { optional: true })}
          {field.text('email', 'E-mail', { optional: true, inputMode: 'email' })}
          {field.text('site_name', 'Site', { placeholder: 'Warehouse' })}
          {field.text('site_address', 'Address of the site')}
        </FieldGrid>
      </fieldset>
      <LineFields form={form} />
      <fieldset>
        <legend className={LEGEND}>Terms</legend>
        <FieldGrid>
          {field.day('starts_on', 'From', { hint: 'Taxes are those of this day.' })}
          {field.day('valid_until', 'Valid until', { hint: 'Last day, inclusive.' })}
          {field.currency('currency', 'Currency')}
          {field.select('prices_include_tax', 'Tax', [
            ['no', 'On top of the rates'],
            ['yes', 'Part of the rates'],
          ])}
          {field.count('payment_terms_days', 'Days to pay')}
          {field.notes('terms', 'Terms', { rows: 4 })}
        </FieldGrid>
      </fieldset>
    </div>
  );
}
