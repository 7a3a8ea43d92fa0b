import { VAT_RETURNS_PAID_FROM } from '#shared/database.values.ts';
import { formatMoney } from '#shared/money.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { formatMonths, today } from '#web/lib/format/dates.ts';
import { PAID_FROM_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { useFile, usePay, useReopen } from './api.ts';
import {
  fileSchema,
  owedOf,
  paySchema,
  reopenSchema,
  toPayForm,
  type VatReturn,
} from './schema.ts';

type DialogProps = { vatReturn: VatReturn; onClose: () => void };

const nameOf = ({ month }: VatReturn) => formatMonths(month, month);

export function FileDialog({ vatReturn, onClose }: DialogProps) {
  const { mutateAsync } = useFile();
  return (
    <EntryDialog
      title="File Return"
      description={`Notes that the return of ${nameOf(vatReturn)} was handed in. Its documents stay as they are from then on.`}
      schema={fileSchema}
      defaultValues={{ filed_on: today(), reference: '' }}
      submitLabel="File Return"
      success="Return filed"
      failure="Return not filed"
      save={(form) => mutateAsync({ month: vatReturn.month, ...form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.day('filed_on', 'Filed On')}
            {field.text('reference', 'Reference of the Tax Office')}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

export function PayDialog({ vatReturn, onClose }: DialogProps) {
  const { mutateAsync } = usePay();
  const owed = owedOf(vatReturn);
  return (
    <EntryDialog
      title="Note Payment"
      description={`${formatMoney(owed, 'LRD')} is due for ${nameOf(vatReturn)}, at ${formatMoney(vatReturn.lrd_per_usd, 'LRD')} for one US$. Pay in either currency, or in both.`}
      schema={paySchema}
      defaultValues={toPayForm(vatReturn)}
      submitLabel="Note Payment"
      success="Payment noted"
      failure="Payment not noted"
      save={(form) => mutateAsync({ month: vatReturn.month, form })}
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

export function ReopenDialog({ vatReturn, onClose }: DialogProps) {
  const { mutateAsync } = useReopen();
  const isPaid = vatReturn.status === 'paid';
  return (
    <EntryDialog
      title={isPaid ? 'Take Payment Back' : 'Reopen Return'}
      description={
        isPaid
          ? 'The payment is deleted, and the return is filed and not paid.'
          : 'The return is prepared again, and can be changed.'
      }
      schema={reopenSchema}
      defaultValues={{ reason: '' }}
      submitLabel={isPaid ? 'Take Payment Back' : 'Reopen Return'}
      success={isPaid ? 'Payment taken back' : 'Return reopened'}
      failure={isPaid ? 'Payment not taken back' : 'Return not reopened'}
      save={({ reason }) => mutateAsync({ month: vatReturn.month, reason })}
      onClose={onClose}
    >
      {(form) => createFields(form).text('reason', 'Reason')}
    </EntryDialog>
  );
}
