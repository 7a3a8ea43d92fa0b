import type { PrintedInvoice, PrintedLine, TaxedLine } from './printed-invoice.ts';

/** A line of a quote as it is stored: hours and sums of an average month. */
export interface QuotedLine extends Omit<TaxedLine, 'vat_treatment'> {
  post_name: string;
  /** At once. */
  guards: number;
  hours_a_day: number | string;
  days_a_week: number;
  hours: number | string | null;
  rate: number | string;
  price_with_tax: number | string | null;
  taxed_as: TaxedLine['vat_treatment'];
}

export interface PrintedQuote extends Pick<PrintedInvoice, 'vat_number' | 'subtotal' | 'total'> {
  number: string;
  currency: string;
  sent_on: string;
  starts_on: string;
  /** Last day, inclusive. */
  valid_until: string;
  payment_terms_days: number;
  client_name: string;
  contact_name: string | null;
  site_name: string;
  site_address: string;
  terms: string | null;
  lines: QuotedLine[];
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** @returns for example "2 guards, 12 h a day, 7 days a week" */
export const printedPattern = ({
  guards,
  hours_a_day,
  days_a_week,
}: Pick<QuotedLine, 'guards' | 'hours_a_day' | 'days_a_week'>): string =>
  `${counted(guards, 'guard')}, ${Number(hours_a_day)} h a day, ${counted(days_a_week, 'day')} a week`;

/** @returns the line as an invoice has it */
export const toPrintedLine = (line: QuotedLine): PrintedLine => ({
  ...line,
  description: `${line.post_name}: ${printedPattern(line)}`,
  quantity: line.hours ?? 0,
  unit: 'h',
  vat_treatment: line.taxed_as,
});
