// Money for an invoice: what came, what the client withheld, what was on account, and what is not worth asking for.
import { useState } from 'react';
import { printedPercent } from '#shared/documents/printed-invoice.ts';
import { formatMoney, sumCents } from '#shared/money.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import {
  type SimilarReceipt,
  SimilarReceipts,
} from '#web/components/receipts/similar-receipts.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { useCompanyAccounts, usesBankAccount } from '#web/lib/data/company-accounts.ts';
import { amountEntry } from '#web/lib/form-fields/amount-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { RECEIPT_METHOD_LABELS, RECEIVED_BY } from '#web/lib/vocabulary/receipt-methods.ts';
import {
  useMoneyOnAccount,
  usePayFromAccount,
  useRecordReceipt,
  useWithholding,
  useWriteOff,
} from './receipts-api.ts';
import { type Invoice, lessWithheld, receiptSchema, writeOffSchema } from './schema.ts';

type DialogProps = { invoice: Invoice; onClose: () => void };

export function ReceiptDialog({ invoice, onClose }: DialogProps) {
  const { mutateAsync } = useRecordReceipt();
  const { data: rate } = useWithholding();
  const { data: accounts = [] } = useCompanyAccounts(invoice.currency);
  const [similar, setSimilar] = useState<SimilarReceipt[]>([]);
  return (
    <EntryDialog
      title="Record Receipt"
      description={`Pays this invoice; what is more than ${formatMoney(invoice.open_amount, invoice.currency)} stays on the client’s account.`}
      schema={receiptSchema}
      defaultValues={{
        id: crypto.randomUUID(),
        amount: amountEntry(invoice.open_amount),
        withheld: '',
        received_on: today(),
        method: 'bank',
        reference: '',
        bank_account_id: '',
        is_another: false,
      }}
      submitLabel="Record Receipt"
      success="Receipt recorded"
      failure="Receipt not recorded"
      save={(form) => mutateAsync({ invoice, form, onSimilar: setSimilar })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.amount('amount', `Amount (${invoice.currency})`)}
            {field.amount('withheld', `Tax Withheld (${invoice.currency})`, {
              optional: true,
              hint: 'Kept by the client for the tax office. It pays the invoice, too.',
            })}
            {rate && (
              <Button
                variant="secondary"
                className="col-span-full justify-self-start"
                onClick={() => {
                  const paid = lessWithheld(invoice, rate);
                  form.setValue('amount', amountEntry(paid.amount), { shouldDirty: true });
                  form.setValue('withheld', amountEntry(paid.withheld), { shouldDirty: true });
                }}
              >
                Less {printedPercent(rate)} Withheld
              </Button>
            )}
            {field.day('received_on', 'Received')}
            {field.select('method', 'Paid by', toOptions(RECEIVED_BY, RECEIPT_METHOD_LABELS))}
            {field.text('reference', 'Reference', { optional: true })}
            {usesBankAccount(form.watch('method')) &&
              accounts.length > 0 &&
              field.select(
                'bank_account_id',
                'Reached Account',
                accounts.map(({ id, name }) => [id, name]),
                { empty: 'Not said', optional: true },
              )}
            <SimilarReceipts
              receipts={similar}
              currency={invoice.currency}
              another={form.register('is_another')}
            />
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

export function WriteOffDialog({ invoice, onClose }: DialogProps) {
  const { mutateAsync } = useWriteOff();
  return (
    <EntryDialog
      title="Write Off"
      description={`Settles the ${formatMoney(invoice.open_amount, invoice.currency)} that are left, without money. Voiding it on the statement takes it back.`}
      schema={writeOffSchema}
      defaultValues={{ reason: '' }}
      submitLabel="Write Off"
      success="Difference written off"
      failure="Difference not written off"
      save={({ reason }) => mutateAsync({ id: invoice.id, reason })}
      onClose={onClose}
    >
      {(form) => createFields(form).text('reason', 'Reason')}
    </EntryDialog>
  );
}

export function AccountDialog({ invoice, onClose }: DialogProps) {
  const { mutateAsync } = usePayFromAccount();
  const { data: receipts = [] } = useMoneyOnAccount(invoice);
  const sum = sumCents(receipts.map(({ unallocated }) => unallocated));
  return (
    <ConfirmDialog
      title="Use Money on Account"
      question={`Pay invoices from the ${formatMoney(sum, invoice.currency)} on the account of ${invoice.clients.name}?`}
      confirmLabel="Use Money"
      busyLabel="Paying..."
      variant="primary"
      success="Money on account used"
      failure="Money on account not used"
      onConfirm={() => mutateAsync(receipts)}
      onClose={onClose}
    >
      It pays the client’s open invoices in {invoice.currency}, the oldest first. What is left stays
      on the account.
    </ConfirmDialog>
  );
}
