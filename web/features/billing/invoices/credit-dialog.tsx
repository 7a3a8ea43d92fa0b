import type { UseFormReturn } from 'react-hook-form';
import { printedCharge } from '#shared/documents/printed-invoice.ts';
import { formatMoney, sumCents } from '#shared/money.ts';
import { CalculatedField, createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { type OpenedInvoice, useCreditInvoice } from './api.ts';
import { type CreditForm, creditSchema, type Invoice, type InvoiceLine } from './schema.ts';

type LinesProps = { invoice: Invoice; lines: InvoiceLine[]; form: UseFormReturn<CreditForm> };

/** The site, unless the description starts with it. */
const siteBeside = ({ sites, description }: InvoiceLine) =>
  sites && !description.startsWith(sites.name) ? sites.name : undefined;

/** A checkbox for each line that no credit note has credited, and the sum of those chosen. */
function Lines({ invoice, lines, form }: LinesProps) {
  const chosen = form.watch('lines');
  const isAll = chosen.length === lines.length;
  const sum = sumCents(
    lines.flatMap(({ id, amount, tax_amount }) =>
      chosen.includes(id) ? [amount, tax_amount] : [],
    ),
  );
  const error = form.formState.errors.lines?.message;
  return (
    <fieldset className="flex flex-col gap-3" aria-describedby={error && 'credit-lines-error'}>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <legend className="float-left font-semibold">Lines</legend>
        {lines.length > 1 && (
          <Button
            variant="link"
            onClick={() =>
              form.setValue('lines', isAll ? [] : lines.map(({ id }) => id), {
                shouldDirty: true,
              })
            }
          >
            {isAll ? 'Choose none' : 'Choose all'}
          </Button>
        )}
      </div>
      <ul className="max-h-80 divide-y divide-line overflow-y-auto border-y border-line">
        {lines.map((line) => (
          <li key={line.id} className="relative flex min-h-11 items-start gap-3 py-2.5 pr-1">
            <Checkbox
              value={line.id}
              aria-labelledby={`credit-${line.id}`}
              {...form.register('lines')}
            />
            <span id={`credit-${line.id}`} className="flex min-w-0 flex-1 justify-between gap-4">
              <span className="min-w-0">
                <span className="font-medium break-words">{line.description}</span>
                <span className="block text-sm text-muted tabular-nums">
                  {[siteBeside(line), printedCharge(line, invoice.currency)]
                    .filter(Boolean)
                    .join(', ')}
                </span>
              </span>
              <span className="tabular-nums whitespace-nowrap">
                {formatMoney(line.amount, invoice.currency)}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {error && (
        <p id="credit-lines-error" className="text-sm text-danger">
          {error}
        </p>
      )}
      <CalculatedField label="Credit note">{formatMoney(sum, invoice.currency)}</CalculatedField>
    </fieldset>
  );
}

type CreditDialogProps = Pick<OpenedInvoice, 'invoice' | 'lines'> & { onClose: () => void };

export function CreditDialog({ invoice, lines, onClose }: CreditDialogProps) {
  const { mutateAsync } = useCreditInvoice();
  const open = lines.filter(({ credited_at }) => credited_at === null);
  return (
    <EntryDialog
      title="Credit Invoice"
      description="Credits the chosen lines. Their hours can then be billed again. A credit note can’t be changed or deleted."
      schema={creditSchema}
      defaultValues={{ lines: open.map(({ id }) => id), reason: '' }}
      submitLabel="Issue Credit Note"
      submitVariant="danger"
      success="Credit note issued"
      failure="Invoice not credited"
      save={(form) => mutateAsync({ id: invoice.id, form })}
      onClose={onClose}
    >
      {(form) => (
        <div className="grid gap-6">
          <Lines invoice={invoice} lines={open} form={form} />
          <FieldGrid>{createFields(form).text('reason', 'Reason', { wide: true })}</FieldGrid>
        </div>
      )}
    </EntryDialog>
  );
}
