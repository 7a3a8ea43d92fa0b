// A refund is asked for by one person, paid or declined by another, and may come back.
import { REFUNDS_METHOD } from '#shared/database.values.ts';
import { formatMoney } from '#shared/money.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { useCompanyAccounts, usesBankAccount } from '#web/lib/data/company-accounts.ts';
import { amountEntry } from '#web/lib/form-fields/amount-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { RECEIPT_METHOD_LABELS } from '#web/lib/vocabulary/receipt-methods.ts';
import {
  askSchema,
  type OnAccount,
  paySchema,
  type Refund,
  returnSchema,
  useAskRefund,
  useDeclineRefund,
  usePayRefund,
  useReturnRefund,
} from './refunds-api.ts';

export function AskRefundDialog({ receipt, onClose }: { receipt: OnAccount; onClose: () => void }) {
  const { mutateAsync } = useAskRefund();
  const { data: accounts = [] } = useCompanyAccounts(receipt.currency);
  // Tax that was withheld never reached us.
  const most = Math.min(receipt.unallocated ?? 0, receipt.amount);
  return (
    <EntryDialog
      title="Ask for a Refund"
      description={`Up to ${formatMoney(most, receipt.currency)} go back to the client. Another person pays it.`}
      schema={askSchema(most)}
      defaultValues={{
        id: crypto.randomUUID(),
        amount: amountEntry(most),
        method: 'bank',
        bank_account_id: '',
        reason: '',
      }}
      submitLabel="Ask for Refund"
      success="Refund asked for"
      failure="Refund not asked for"
      save={(form) => mutateAsync({ receipt: receipt.id, form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.amount('amount', `Amount (${receipt.currency})`)}
            {field.select('method', 'Paid by', toOptions(REFUNDS_METHOD, RECEIPT_METHOD_LABELS))}
            {usesBankAccount(form.watch('method')) &&
              accounts.length > 0 &&
              field.select(
                'bank_account_id',
                'From Account',
                accounts.map(({ id, name }) => [id, name]),
                { empty: 'Not said', optional: true, wide: true },
              )}
            {field.text('reason', 'Reason', { wide: true })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

type RefundProps = { refund: Refund; onClose: () => void };

const nameOf = ({ amount, currency, clients }: Refund) =>
  `${formatMoney(amount, currency)} to ${clients.name}`;

/** @returns for example "bank, from Ecobank Liberia, 4711" */
function wayOf({ method, bank_accounts: account }: Refund): string {
  const way = RECEIPT_METHOD_LABELS[method].toLowerCase();
  return account ? `${way}, from ${account.bank_name}, ${account.account_number}` : way;
}

export function PayRefundDialog({ refund, onClose }: RefundProps) {
  const { mutateAsync } = usePayRefund();
  return (
    <EntryDialog
      title="Pay Refund"
      description={`Notes that ${nameOf(refund)} left the company (${wayOf(refund)}). ${refund.reason}`}
      schema={paySchema}
      defaultValues={{ paid_on: today(), reference: '' }}
      submitLabel="Pay Refund"
      success="Refund paid"
      failure="Refund not paid"
      save={(form) => mutateAsync({ id: refund.id, form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.day('paid_on', 'Paid on')}
            {field.text('reference', 'Reference', { optional: true })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

export function DeclineRefundDialog({ refund, onClose }: RefundProps) {
  const { mutateAsync } = useDeclineRefund();
  return (
    <ConfirmDialog
      title="Decline Refund"
      question={`Decline the refund of ${nameOf(refund)}?`}
      confirmLabel="Decline"
      busyLabel="Declining..."
      success="Refund declined"
      failure="Refund not declined"
      onConfirm={() => mutateAsync(refund.id)}
      onClose={onClose}
    >
      The money is on the client’s account again.
    </ConfirmDialog>
  );
}

export function ReturnRefundDialog({ refund, onClose }: RefundProps) {
  const { mutateAsync } = useReturnRefund();
  return (
    <EntryDialog
      title="Refund Came Back"
      description={`Books ${nameOf(refund)} back: the money is on the client’s account again.`}
      schema={returnSchema}
      defaultValues={{ returned_on: today(), reason: '' }}
      submitLabel="Note Return"
      submitVariant="danger"
      success="Return noted"
      failure="Return not noted"
      save={(form) => mutateAsync({ id: refund.id, form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.day('returned_on', 'Came Back on')}
            {field.text('reason', 'Reason')}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}
