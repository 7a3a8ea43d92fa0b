// The mail that reminds a client of overdue invoices; all its text is in this file.
import type { Message } from 'supabase-in-node/mail-layout';
import { company } from '#company';
import { type PayTo, printedDay } from '#shared/documents/printed-invoice.ts';
import { formatMoney, sumCents } from '#shared/money.ts';

/** As `private.reminder_mail` makes it. */
export interface Reminder {
  email: string;
  currency: string;
  client: { name: string; address: string };
  pay_to: PayTo;
  from: string;
  to: string;
  invoices: { number: string; due_on: string; open_amount: string }[];
  entries: {
    day: string;
    kind: string;
    document: string;
    text: string;
    charge: string;
    payment: string;
    balance: string;
  }[];
}

export function reminderMessage({ client, currency, invoices, to }: Reminder): Message {
  const owed = formatMoney(sumCents(invoices.map(({ open_amount }) => open_amount)), currency);
  const [first] = invoices;
  return {
    subject: `${owed} overdue: reminder from ${company.name}`,
    heading: 'Payment reminder',
    paragraphs: [
      `Dear ${client.name},`,
      first && invoices.length === 1
        ? `Invoice ${first.number} was due on ${printedDay(first.due_on)}, and ${owed} are still open.`
        : `These invoices are overdue, together ${owed}:`,
      ...(invoices.length === 1
        ? []
        : invoices.map(
            ({ number, due_on, open_amount }) =>
              `${number}, due on ${printedDay(due_on)}: ${formatMoney(open_amount, currency)}`,
          )),
      `Your statement of account as of ${printedDay(to)} is attached. It says where to pay; please give the number of the invoice.`,
      'You have paid already? Then please take no notice of this mail.',
    ],
    closing: 'Reply to this mail if anything is unclear, or if you do not agree with an invoice.',
  };
}
