import { format, parseISO } from 'date-fns';
import type {
  INVOICE_LINES_VAT_TREATMENT,
  PAYMENT_ACCOUNTS_KIND,
} from '#shared/database.values.ts';
import { centsToNumber, formatMoney, parseCents } from '#shared/money.ts';

/** What a line is taxed at. Without a rate it has no tax; without a treatment the tax is not VAT. */
export interface TaxedLine {
  /** Without tax. */
  amount: number | string;
  tax_name: string | null;
  /** A fraction: 0.18 is 18 %. */
  tax_rate: number | string | null;
  tax_amount: number | string | null;
  vat_treatment: (typeof INVOICE_LINES_VAT_TREATMENT)[number] | null;
}

export interface PrintedLine extends TaxedLine {
  description: string;
  quantity: number | string;
  unit: string;
  rate: number | string;
  /** Where the rate contains the tax: what is paid. */
  price_with_tax: number | string | null;
}

/** Where an invoice is paid to, and what it says about the company. */
export interface PayTo {
  tin?: string | null | undefined;
  address?: string | null | undefined;
  terms?: string | null | undefined;
  accounts: {
    kind: (typeof PAYMENT_ACCOUNTS_KIND)[number];
    provider: string;
    title: string;
    number: string;
    note?: string | null | undefined;
  }[];
}

export interface PrintedInvoice {
  number: string;
  currency: string;
  issued_on: string;
  due_on: string;
  period_start: string;
  period_end: string;
  bill_to: {
    name: string;
    address?: string | null | undefined;
    tin?: string | null | undefined;
    /** With which the client is free of VAT. */
    vat_certificate?: string | null | undefined;
  };
  /** Of the company; null when it was not registered. */
  vat_number: string | null;
  subtotal: number | string;
  tax: number | string;
  total: number | string;
  note: string | null;
  /** The client's number of its order. */
  purchase_order: string | null;
  pay_to: PayTo | null;
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
  vat_number: string | null;
  amount: number | string;
  tax: number | string;
  lines: PrintedLine[];
}

/** @returns the amount that its rate makes: with tax where the rate contains it */
export const printedAmount = ({ price_with_tax, amount }: PrintedLine) => price_with_tax ?? amount;

/** @param rate a fraction @returns for example "18%" or "12.5%" */
export const printedPercent = (rate: number | string): string =>
  `${Number((Number(rate) * 100).toFixed(2))}%`;

function taxLabel({ tax_name, tax_rate, vat_treatment }: TaxedLine, net: string): string {
  if (tax_rate === null) return `Without tax: ${net}`;
  const name = tax_name ?? 'Tax';
  if (vat_treatment === 'exempt') return `Exempt from ${name}: ${net}`;
  return `${name} ${printedPercent(tax_rate)} on ${net}`;
}

/** The highest rate first, then what has none. */
const placeOf = ({ tax_rate, vat_treatment }: TaxedLine) =>
  tax_rate === null ? 2 : vat_treatment === 'exempt' ? 1 : -Number(tax_rate);

/**
 * The tax of an invoice by rate, each with the sum that it is on.
 * @returns nothing for an invoice of which no line has a tax
 */
export function taxTotals(
  lines: readonly TaxedLine[],
  currency: string,
): { label: string; amount: number }[] {
  if (lines.every(({ tax_rate }) => tax_rate === null)) return [];
  const keyOf = ({ tax_name, tax_rate, vat_treatment }: TaxedLine) =>
    [tax_name, tax_rate === null ? null : Number(tax_rate), vat_treatment].join();
  const groups = new Map<string, { line: TaxedLine; net: bigint; tax: bigint }>();
  for (const line of lines) {
    const group = groups.get(keyOf(line)) ?? { line, net: 0n, tax: 0n };
    groups.set(keyOf(line), {
      ...group,
      net: group.net + parseCents(line.amount),
      tax: group.tax + parseCents(line.tax_amount ?? 0),
    });
  }
  return [...groups.values()]
    .sort((a, b) => placeOf(a.line) - placeOf(b.line))
    .map(({ line, net, tax }) => ({
      label: taxLabel(line, formatMoney(centsToNumber(net), currency)),
      amount: centsToNumber(tax),
    }));
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
