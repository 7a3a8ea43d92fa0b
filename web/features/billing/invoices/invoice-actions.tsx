import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formatMoney } from '#shared/money.ts';
import { OpenDisputeDialog } from '#web/components/disputes/disputes.tsx';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { PdfButton } from '#web/components/form/pdf-button.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { LabelledCheckbox } from '#web/components/ui/checkbox.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { disputesOf, useOpenDisputes } from '#web/lib/data/disputes.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import {
  type OpenedInvoice,
  useAddLine,
  useDiscardInvoice,
  useIssueInvoices,
  useSaveOrder,
  useSendInvoices,
} from './api.ts';
import { CreditDialog } from './credit-dialog.tsx';
import { AccountDialog, ReceiptDialog, WriteOffDialog } from './receipt-dialogs.tsx';
import { useMoneyOnAccount, useWriteOffLimit } from './receipts-api.ts';
import { toPrintedInvoice } from './rules.ts';
import { billToSchema, isOwed, lineSchema, orderSchema, sendSchema } from './schema.ts';

type DialogProps = OpenedInvoice & { problems: number; onClose: () => void };

function IssueDialog({ invoice, problems, onClose }: DialogProps) {
  const { mutateAsync } = useIssueInvoices();
  return (
    <ConfirmDialog
      title="Issue Invoice"
      question={`Issue ${formatMoney(invoice.total, invoice.currency)} to ${invoice.clients.name}?`}
      confirmLabel="Issue"
      busyLabel="Issuing..."
      variant="primary"
      success="Invoice issued"
      failure="Invoice not issued"
      onConfirm={async () => {
        const [outcome] = await mutateAsync([invoice.id]);
        if (outcome?.refusal) throw new Error(outcome.refusal);
      }}
      onClose={onClose}
    >
      It gets the next number of the year and can’t be changed afterwards. What is wrong can then
      only be corrected with a credit note.
      {problems > 0 &&
        ` ${problems === 1 ? '1 point is' : `${problems} points are`} open: see below.`}
    </ConfirmDialog>
  );
}

function DiscardDialog({ invoice, onClose }: DialogProps) {
  const { mutateAsync } = useDiscardInvoice();
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title="Discard Draft"
      question={`Discard the draft for ${invoice.clients.name}?`}
      confirmLabel="Discard"
      busyLabel="Discarding..."
      success="Draft discarded"
      failure="Draft not discarded"
      onConfirm={async () => {
        await mutateAsync(invoice.id);
        await navigate({ to: '/admin/invoices' });
      }}
      onClose={onClose}
    >
      Lines that were added by hand are lost. The hours stay, and can be drafted again.
    </ConfirmDialog>
  );
}

function LineDialog({ invoice, onClose }: DialogProps) {
  const { mutateAsync } = useAddLine();
  return (
    <EntryDialog
      title="Add Line"
      description="For amounts outside the contract: a replaced key, or a discount as a negative amount."
      schema={lineSchema}
      defaultValues={{ description: '', quantity: '1', rate: '' }}
      submitLabel="Add Line"
      success="Line added"
      failure="Line not added"
      save={(form) => mutateAsync({ id: invoice.id, form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.text('description', 'Description', { wide: true })}
            {field.amount('quantity', 'Quantity', { placeholder: '1' })}
            {field.amount('rate', `Price (${invoice.currency})`)}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

function OrderDialog({ invoice, onClose }: DialogProps) {
  const { mutateAsync } = useSaveOrder();
  return (
    <EntryDialog
      title="Order Number"
      description="The client’s number of its order, on this invoice. Empty: that of the contract."
      schema={orderSchema}
      defaultValues={{ purchase_order: invoice.purchase_order ?? '' }}
      submitLabel="Save"
      success="Order number updated"
      failure="Order number not updated"
      save={(form) => mutateAsync({ id: invoice.id, form })}
      onClose={onClose}
    >
      {(form) => createFields(form).text('purchase_order', 'Order Number', { optional: true })}
    </EntryDialog>
  );
}

const DisputeDialog = ({ invoice, onClose }: DialogProps) => (
  <OpenDisputeDialog client={invoice.client_id} invoice={invoice.id} onClose={onClose} />
);

function SendDialog({ invoice, creditNotes, onClose }: DialogProps) {
  const { mutateAsync } = useSendInvoices();
  const { data: disputes = [] } = useOpenDisputes();
  const [contested] = isOwed(invoice) ? disputesOf(disputes, invoice) : [];
  const email = billToSchema.safeParse(invoice.bill_to).data?.email ?? '';
  return (
    <EntryDialog
      title="Mail Invoice"
      description={
        creditNotes.length > 0
          ? 'With the invoice and its credit notes as PDFs.'
          : 'With the invoice as a PDF.'
      }
      schema={sendSchema}
      defaultValues={{ email, is_meant: false }}
      submitLabel="Mail"
      savingLabel="Mailing..."
      success="Invoice on its way"
      failure="Invoice not mailed"
      save={async (form) => {
        if (contested && !form.is_meant) {
          throw new Error(
            'The client contests this invoice. End the dispute first, or tick below.',
          );
        }
        const [outcome] = await mutateAsync({ ids: [invoice.id], email: form.email });
        if (outcome?.refusal) throw new Error(outcome.refusal);
      }}
      onClose={onClose}
    >
      {(form) => (
        <FieldGrid>
          {createFields(form).text('email', 'E-mail', { wide: true, inputMode: 'email' })}
          {contested && (
            <LabelledCheckbox
              className="col-span-full"
              label="Mail it all the same"
              hint={`In dispute since ${formatDay(contested.since)}: ${contested.reason}`}
              {...form.register('is_meant')}
            />
          )}
        </FieldGrid>
      )}
    </EntryDialog>
  );
}

const DIALOGS = {
  issue: IssueDialog,
  discard: DiscardDialog,
  line: LineDialog,
  order: OrderDialog,
  dispute: DisputeDialog,
  credit: CreditDialog,
  receipt: ReceiptDialog,
  account: AccountDialog,
  writeOff: WriteOffDialog,
  send: SendDialog,
};

function InvoicePdf({ invoice, lines }: Pick<OpenedInvoice, 'invoice' | 'lines'>) {
  const printed = toPrintedInvoice({ invoice, lines });
  if (printed === undefined) return null;
  return (
    <PdfButton
      name={printed.number}
      load={async () => {
        const { invoicePdf } = await import('#shared/documents/invoice-pdf.ts');
        return () => invoicePdf(printed);
      }}
    />
  );
}

export function InvoiceActions(props: OpenedInvoice & { problems: number }) {
  const [opened, setOpened] = useState<keyof typeof DIALOGS>();
  const Opened = opened && DIALOGS[opened];
  const { invoice, lines } = props;
  const isDraft = invoice.status === 'draft';
  const { data: onAccount = [] } = useMoneyOnAccount(invoice);
  const { data: limit } = useWriteOffLimit(invoice);
  return (
    <>
      {isDraft && (
        <>
          <Button variant="danger-ghost" onClick={() => setOpened('discard')}>
            Discard
          </Button>
          <Button variant="secondary" onClick={() => setOpened('order')}>
            Order Number
          </Button>
          <Button variant="secondary" onClick={() => setOpened('line')}>
            Add Line
          </Button>
        </>
      )}
      {!isDraft && lines.some(({ credited_at }) => credited_at === null) && (
        <Button variant="danger-ghost" onClick={() => setOpened('credit')}>
          Credit
        </Button>
      )}
      {isOwed(invoice) && (
        <Button variant="secondary" onClick={() => setOpened('dispute')}>
          Note Dispute
        </Button>
      )}
      <InvoicePdf invoice={invoice} lines={lines} />
      {!isDraft && (
        <Button variant="secondary" onClick={() => setOpened('send')}>
          Mail
        </Button>
      )}
      {isOwed(invoice) && onAccount.length > 0 && (
        <Button variant="secondary" onClick={() => setOpened('account')}>
          Use Money on Account
        </Button>
      )}
      {isOwed(invoice) && limit && (invoice.open_amount ?? 0) <= limit && (
        <Button variant="secondary" onClick={() => setOpened('writeOff')}>
          Write Off
        </Button>
      )}
      {isOwed(invoice) && <Button onClick={() => setOpened('receipt')}>Record Receipt</Button>}
      {isDraft && <Button onClick={() => setOpened('issue')}>Issue</Button>}
      {Opened && <Opened {...props} onClose={() => setOpened(undefined)} />}
    </>
  );
}
