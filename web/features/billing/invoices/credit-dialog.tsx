import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { printedCharge } from '#shared/documents/printed-invoice.ts';
import { formatMoney } from '#shared/money.ts';
import { CalculatedField, createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { type OpenedInvoice, useCreditInvoice } from './api.ts';
import { creditOf, hasParts, leftOfLine, priceLeft } from './credit-parts.ts';
import {
  CREDITED_BY,
  type CreditForm,
  creditSchema,
  type Invoice,
  type InvoiceLine,
} from './schema.ts';

const HOW_LABELS = { whole: 'What is left', quantity: 'A quantity', amount: 'An amount' };

type Left = ReturnType<typeof leftOfLine>;
type LinesProps = {
  invoice: Invoice;
  lines: { line: InvoiceLine; left: Left }[];
  form: UseFormReturn<CreditForm>;
};

/** The site, unless the description starts with it. */
const siteBeside = ({ sites, description }: InvoiceLine) =>
  sites && !description.startsWith(sites.name) ? sites.name : undefined;

type PartProps = Pick<LinesProps, 'invoice' | 'form'> & { line: InvoiceLine; left: Left };

/** How much of a chosen line: what is left, a number of its units, or an amount. */
function Part({ invoice, line, left, form }: PartProps) {
  const field = createFields(form);
  const how = form.watch(`how.${line.id}`);
  return (
    <div className="mb-3 ml-8 grid gap-3 sm:grid-cols-2">
      {field.select(`how.${line.id}`, 'Credit', toOptions(CREDITED_BY, HOW_LABELS))}
      {how === 'quantity' &&
        field.amount(`entries.${line.id}`, `Quantity${line.unit && ` (${line.unit})`}`)}
      {how === 'amount' &&
        field.amount(`entries.${line.id}`, `Amount (${invoice.currency})`, {
          hint: `At most ${formatMoney(priceLeft(line, left), invoice.currency)}${line.tax_rate && line.price_with_tax === null ? ', without tax' : ''}.`,
        })}
    </div>
  );
}

/** A checkbox for each line of which something is left, and the sum of what is chosen. */
function Lines({ invoice, lines, form }: LinesProps) {
  const [parted, setParted] = useState<ReadonlySet<string>>(new Set());
  const entered = form.watch();
  const chosen = entered.lines;
  const isAll = chosen.length === lines.length;
  const sum = lines
    .filter(({ line }) => chosen.includes(line.id))
    .reduce<bigint | undefined>((total, { line, left }) => {
      const part = creditOf(line, left, entered);
      return total === undefined || part === undefined ? undefined : total + part;
    }, 0n);
  const error = form.formState.errors.lines?.message;
  return (
    <fieldset className="flex flex-col gap-3" aria-describedby={error && 'credit-lines-error'}>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <legend className="float-left font-semibold">Lines</legend>
        {lines.length > 1 && (
          <Button
            variant="link"
            onClick={() =>
              form.setValue('lines', isAll ? [] : lines.map(({ line }) => line.id), {
                shouldDirty: true,
              })
            }
          >
            {isAll ? 'Choose none' : 'Choose all'}
          </Button>
        )}
      </div>
      <ul className="max-h-96 divide-y divide-line overflow-y-auto border-y border-line">
        {lines.map(({ line, left }) => (
          <li key={line.id}>
            <div className="relative flex min-h-11 items-start gap-3 py-2.5 pr-1">
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
                  {formatMoney(left.amount, invoice.currency)}
                </span>
              </span>
            </div>
            {chosen.includes(line.id) &&
              hasParts(line) &&
              (parted.has(line.id) ? (
                <Part {...{ invoice, line, left, form }} />
              ) : (
                <Button
                  variant="link"
                  className="mb-1 ml-6"
                  onClick={() => setParted(new Set([...parted, line.id]))}
                >
                  Credit a part<span className="sr-only"> of {line.description}</span>
                </Button>
              ))}
          </li>
        ))}
      </ul>
      {error && (
        <p id="credit-lines-error" className="text-sm text-danger">
          {error}
        </p>
      )}
      <CalculatedField label="Credit note">
        {sum === undefined ? '-' : formatMoney(sum, invoice.currency)}
      </CalculatedField>
    </fieldset>
  );
}

type CreditDialogProps = Pick<OpenedInvoice, 'invoice' | 'lines' | 'creditNotes'> & {
  onClose: () => void;
};

export function CreditDialog({ invoice, lines, creditNotes, onClose }: CreditDialogProps) {
  const { mutateAsync } = useCreditInvoice();
  const open = lines
    .filter(({ credited_at }) => credited_at === null)
    .map((line) => ({ line, left: leftOfLine(line, creditNotes) }));
  return (
    <EntryDialog
      title="Credit Invoice"
      description="Credits the chosen lines. Hours of a line can be billed again once nothing is left of it. A credit note can’t be changed or deleted."
      schema={creditSchema}
      defaultValues={{
        lines: open.map(({ line }) => line.id),
        how: Object.fromEntries(open.map(({ line }) => [line.id, 'whole'] as const)),
        entries: Object.fromEntries(open.map(({ line }) => [line.id, ''])),
        reason: '',
      }}
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
