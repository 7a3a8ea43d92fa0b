// The mail with an invoice; all its text is in this file.
import type { Message } from 'supabase-in-node/mail-layout';
import { company } from '#company';
import {
  type PrintedCreditNote,
  type PrintedInvoice,
  printedDay,
} from '#shared/documents/printed-invoice.ts';
import { formatMoney } from '#shared/money.ts';

export interface InvoiceMail {
  id: string;
  email: string;
  open_amount: string;
  invoice: PrintedInvoice;
  credit_notes: PrintedCreditNote[];
}

function requestOf({ invoice, open_amount }: InvoiceMail): string {
  if (Number(open_amount) === 0) return 'Nothing is left to pay.';
  const due = printedDay(invoice.due_on);
  return Number(open_amount) === Number(invoice.total)
    ? `It is due on ${due}. Please give the number of the invoice with your payment.`
    : `Still to pay: ${formatMoney(open_amount, invoice.currency)}, due on ${due}.`;
}

export function invoiceMessage(mail: InvoiceMail): Message {
  const { invoice, credit_notes } = mail;
  const money = (amount: number | string) => formatMoney(amount, invoice.currency);
  return {
    subject: `Invoice ${invoice.number} from ${company.name}`,
    heading: `Invoice ${invoice.number}`,
    paragraphs: [
      `Dear ${invoice.bill_to.name},`,
      `Please find attached our invoice for ${printedDay(invoice.period_start)} to ${printedDay(invoice.period_end)}: ${money(invoice.total)}.`,
      requestOf(mail),
      ...credit_notes.map(
        ({ number, amount, reason }) =>
          `Credit note ${number} for ${money(amount)} is attached too. Reason: ${reason}`,
      ),
    ],
    closing: 'Reply to this mail if anything is unclear.',
  };
}
