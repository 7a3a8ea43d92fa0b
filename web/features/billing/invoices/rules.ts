import { RATES_KIND } from '#shared/database.values.ts';
import type { PrintedCreditNote, PrintedInvoice } from '#shared/documents/printed-invoice.ts';
import { parsePayTo } from '#web/lib/data/pay-to.ts';
import type { OpenedInvoice } from './api.ts';
import { billToSchema, type CreditNote, type Invoice, type InvoiceLine } from './schema.ts';

/** @returns whether clock events are behind the line; others are amounts, or time that nobody worked */
export const isHours = ({ kind }: Pick<InvoiceLine, 'kind'>): boolean =>
  kind === 'fixed' || RATES_KIND.some((each) => each === kind);

/** @returns what the client gets; undefined for a draft, which has no number */
export function toPrintedInvoice({
  invoice,
  lines,
}: Pick<OpenedInvoice, 'invoice' | 'lines'>): PrintedInvoice | undefined {
  const { number, issued_on, due_on } = invoice;
  const bill_to = billToSchema.safeParse(invoice.bill_to).data;
  if (number === null || issued_on === null || due_on === null || !bill_to) return undefined;
  return {
    ...invoice,
    number,
    issued_on,
    due_on,
    bill_to,
    total: invoice.total ?? 0,
    pay_to: parsePayTo(invoice.payment_details),
    lines,
  };
}

/** @returns what the client gets of a credit note */
export function toPrintedNote(note: CreditNote, invoice: Invoice): PrintedCreditNote {
  const bill_to = billToSchema.parse(invoice.bill_to);
  return {
    ...note,
    number: note.number ?? '',
    invoice_number: invoice.number ?? '',
    bill_to,
    vat_number: invoice.vat_number,
    lines: note.credit_note_lines
      .map(({ amount, tax_amount, quantity, unit, rate, price_with_tax, invoice_lines: line }) => ({
        ...line,
        amount,
        tax_amount,
        // A part of the line has figures of its own.
        quantity: quantity ?? line.quantity,
        unit: unit ?? line.unit,
        rate: rate ?? line.rate,
        price_with_tax: price_with_tax ?? line.price_with_tax,
      }))
      .sort((a, b) => a.position - b.position || a.id.localeCompare(b.id)),
  };
}

/**
 * @param outcomes of many invoices, each with the reason why it was left as it was
 * @returns for the toast
 * @throws with the first reason when none changed
 */
export async function countOutcomes(outcomes: Promise<{ refusal: string | null }[]>) {
  const all = await outcomes;
  const refused = all.flatMap(({ refusal }) => (refusal === null ? [] : [refusal]));
  const [reason] = refused;
  if (reason !== undefined) {
    const changed = all.length - refused.length;
    throw new Error(changed === 0 ? reason : `${changed} done, ${refused.length} not: ${reason}`);
  }
  return { changed: all.length };
}
