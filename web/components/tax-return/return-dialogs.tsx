import { VAT_RETURNS_PAID_FROM } from '#shared/database.values.ts';
import { formatMoney } from '#shared/money.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { formatMonths, today } from '#web/lib/format/dates.ts';
import { PAID_FROM_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import {
  type FileForm,
  fileSchema,
  owedOf,
  type PayForm,
  paySchema,
  reopenSchema,
  type TaxReturn,
  toPayForm,
} from './tax-return.ts';

/** The changes of a return; each rejects with a message. */
export type ReturnChanges = {
  file: (form: FileForm) => Promise<void>;
  pay: (form: PayForm) => Promise<void>;
  reopen: (form: { reason: string }) => Promise<void>;
};

type DialogProps = { taxReturn: TaxReturn; changes: ReturnChanges; onClose: () => void };

const nameOf = ({ month }: TaxReturn) => formatMonths(month, month);

export function FileDialog({ taxReturn, changes, onClose }: DialogProps) {
  return (
    <EntryDialog
      title="File Return"
      description={`Notes that the return of ${nameOf(taxReturn)} was handed in. Its documents stay as they are from then on.`}
      schema={fileSchema}
      defaultValues={{ filed_on: today(), reference: '' }}
      submitLabel="File Return"
      success="Return filed"
      failure="Return not filed"
      save={changes.file}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.day('filed_on', 'Filed On')}
            {field.text('reference', 'Reference of the Authority')}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

export function PayDialog({ taxReturn, changes, onClose }: DialogProps) {
  const owed = owedOf(taxReturn);
  return (
    <EntryDialog
      title="Note Payment"
      description={`${formatMoney(owed, 'LRD')} is due for ${nameOf(taxReturn)}, at ${formatMoney(taxReturn.lrd_per_usd, 'LRD')} for one US$. Pay in either currency, or in both.`}
      schema={paySchema}
      defaultValues={toPayForm(taxReturn)}
      submitLabel="Note Payment"
      success="Payment noted"
      failure="Payment not noted"
      save={changes.pay}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.amount('lrd', 'Liberian Dollars', { optional: true })}
            {field.amount('usd', 'US Dollars', { optional: true })}
            {field.day('paid_on', 'Paid On')}
            {field.select(
              'paid_from',
              'Paid From',
              toOptions(VAT_RETURNS_PAID_FROM, PAID_FROM_LABELS),
            )}
            {field.text('reference', 'Reference', { optional: true, wide: true })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

export function ReopenDialog({ taxReturn, changes, onClose }: DialogProps) {
  const isPaid = taxReturn.status === 'paid';
  return (
    <EntryDialog
      title={isPaid ? 'Take Payment Back' : 'Reopen Return'}
      description={
        isPaid
          ? 'The payment is deleted, and the return is filed and not paid.'
          : 'The return is prepared again, and can be changed. Its document is no longer attached.'
      }
      schema={reopenSchema}
      defaultValues={{ reason: '' }}
      submitLabel={isPaid ? 'Take Payment Back' : 'Reopen Return'}
      success={isPaid ? 'Payment taken back' : 'Return reopened'}
      failure={isPaid ? 'Payment not taken back' : 'Return not reopened'}
      save={changes.reopen}
      onClose={onClose}
    >
      {(form) => createFields(form).text('reason', 'Reason')}
    </EntryDialog>
  );
}
