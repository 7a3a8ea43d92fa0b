import { format, parseISO } from 'date-fns';
import { formatMoney } from '#shared/money.ts';

export interface PrintedLine {
  description: string;
  quantity: number | string;
  unit: string;
  rate: number | string;
  amount: number | string;
}

export interface PrintedInvoice {
  number: string;
  currency: string;
  issued_on: string;
  due_on: string;
  period_start: string;
  period_end: string;
  bill_to: { name: string; address?: string | null };
  subtotal: number | string;
  tax: number | string;
  total: number | string;
  note: string | null;
  lines: PrintedLine[];
}

/** Its lines are those that it takes back, with their amounts on the invoice. */
export interface PrintedCreditNote {
  number: string;
  currency: string;
  issued_on: string;
  invoice_number: string;
  reason: string;
  bill_to: PrintedInvoice['bill_to'];
  amount: number | string;
  tax: number | string;
  lines: PrintedLine[];
}

/** @param day yyyy-MM-dd @returns for example "Nov 21, 2026" */
export const printedDay = (day: string): string => format(parseISO(day), 'MMM d, yyyy');

/** @returns without trailing zeros, for example "7.5" for "7.5000" */
export const printedQuantity = (quantity: number | string): string =>
  String(quantity)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');

/** @returns with at least two decimals, for example "$3.50" or "$0.6875" */
export function printedRate(rate: number | string, currency: string): string {
  const [, more = ''] = /^-?\d+\.\d\d(\d*?)0*$/.exec(Number(rate).toFixed(4)) ?? [];
  return `${formatMoney(Number(rate).toFixed(4).slice(0, -2), currency)}${more}`;
}

/** @returns for example "168.5 h × $4.25", "1 month × $900.00" */
export function printedCharge(
  { quantity, unit, rate }: Pick<PrintedLine, 'quantity' | 'unit' | 'rate'>,
  currency: string,
): string {
  const count = [printedQuantity(quantity), unit].filter(Boolean).join(' ');
  return `${count} × ${printedRate(rate, currency)}`;
}
