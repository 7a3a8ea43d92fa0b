// The mail with a quote; all its text is in this file.
import type { Message } from 'supabase-in-node/mail-layout';
import { company } from '#company';
import { printedDay } from '#shared/documents/printed-invoice.ts';
import type { PrintedQuote } from '#shared/documents/printed-quote.ts';
import { formatMoney } from '#shared/money.ts';

export interface QuoteMail {
  id: string;
  email: string;
  quote: PrintedQuote;
}

export function quoteMessage({ quote }: QuoteMail): Message {
  return {
    subject: `Quote ${quote.number} from ${company.name}`,
    heading: `Quote ${quote.number}`,
    paragraphs: [
      `Dear ${quote.contact_name ?? quote.client_name},`,
      `Thank you for your enquiry. Please find attached our quote for ${quote.site_name}: ${formatMoney(quote.total, quote.currency)} for an average month, from ${printedDay(quote.starts_on)}.`,
      `It is valid until ${printedDay(quote.valid_until)}.`,
    ],
    closing: 'Reply to this mail to accept it, or if anything is unclear.',
  };
}
