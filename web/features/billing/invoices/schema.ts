import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { RECEIPTS_METHOD } from '#shared/database.values.ts';
import { centsToNumber, parseCents } from '#shared/money.ts';
import { amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { bookDayField, dayField, isInOrder } from '#web/lib/form-fields/day-field.ts';
import { reasonField, textField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';

type Tables = Database['public']['Tables'];

export type Invoice = Tables['invoices']['Row'] & { clients: { name: string } };
export type InvoiceLine = Tables['invoice_lines']['Row'] & {
  sites: { name: string } | null;
  posts: { name: string } | null;
};

export type CreditNote = Tables['credit_notes']['Row'] & {
  credit_note_lines: {
    amount: number;
    tax_amount: number;
    /** Of a part of the line. */
    quantity: number | null;
    unit: Tables['credit_note_lines']['Row']['unit'];
    rate: number | null;
    price_with_tax: number | null;
    invoice_lines: Pick<
      InvoiceLine,
      | 'description'
      | 'quantity'
      | 'unit'
      | 'rate'
      | 'position'
      | 'id'
      | 'price_with_tax'
      | 'tax_name'
      | 'tax_rate'
      | 'vat_treatment'
    >;
  }[];
};

export const problemsSchema = z.array(z.object({ code: z.string(), text: z.string() }));

/** Whether a contract was left out because its period isn't due. */
export const isNotDue = (problems: unknown): boolean =>
  problemsSchema
    .catch([])
    .parse(problems)
    .some(({ code }) => code === 'not_due');

/** Who the invoice is sent to, as it was when it was issued. */
export const billToSchema = z.object({
  name: z.string(),
  address: z.string().nullish(),
  email: z.string().nullish(),
  tin: z.string().nullish(),
  vat_certificate: z.string().nullish(),
});

export const isOwed = ({ status, open_amount }: Invoice): boolean =>
  status !== 'draft' && (open_amount ?? 0) > 0;

/** The same after its due day; the database stores no such status. */
export const isOverdue = (invoice: Invoice): boolean =>
  isOwed(invoice) && invoice.due_on !== null && invoice.due_on < today();

/** @returns the status that the screens show */
export const shownStatus = (invoice: Invoice) => (isOverdue(invoice) ? 'overdue' : invoice.status);

export const draftSchema = z
  .object({
    what: z.enum(['due', 'days']),
    /** The day by which what is drafted is due. */
    on: dayField('Due by is required'),
    from: dayField('From is required'),
    to: dayField('To is required'),
    /** Empty for every client. */
    client: z.string(),
    /** For chosen days; empty for contracts whose cycle fits. */
    contract: z.string(),
  })
  .refine(({ what, from, to }) => what === 'due' || isInOrder(from, to), {
    path: ['to'],
    error: 'To cannot be before From',
  });
export type DraftForm = z.infer<typeof draftSchema>;

export const lineSchema = z.object({
  description: textField('Description', limits.INVOICE_LINES_DESCRIPTION_MAX).min(
    1,
    'Description is required',
  ),
  quantity: amountField({ name: 'Quantity', required: 'Quantity is required' }),
  rate: amountField({ name: 'Price', required: 'Price is required' }),
});
export type LineForm = z.infer<typeof lineSchema>;

export const lineColumns = ({ description, quantity, rate }: LineForm) => ({
  description: description.trim(),
  quantity: amountOrNull(quantity) ?? 0,
  rate: amountOrNull(rate) ?? 0,
});

export const CREDITED_BY = ['whole', 'quantity', 'amount'] as const;

export const creditSchema = z.object({
  /** Ids of the lines to take back. */
  lines: z.array(z.uuid()).min(1, 'Choose at least one line'),
  /** By line: what is left of it, or a part. */
  how: z.record(z.string(), z.enum(CREDITED_BY)),
  /** By line: the quantity or the amount of the part. */
  entries: z.record(z.string(), z.string()),
  reason: reasonField,
});

export type CreditForm = z.infer<typeof creditSchema>;

export const receiptSchema = z
  .object({
    /** Made when the form opens, so that a repeated save records one receipt. */
    id: z.uuid(),
    amount: amountField({
      name: 'Amount',
      required: 'Amount is required',
      negative: 'Amount cannot be negative',
    }),
    withheld: amountField({ name: 'Tax withheld', negative: 'Tax withheld cannot be negative' }),
    received_on: bookDayField('Day is required', 'Day'),
    method: z.enum(RECEIPTS_METHOD),
    reference: textField('Reference', limits.RECEIPTS_REFERENCE_MAX),
    /** The account that it reached; empty where it is not said. */
    bank_account_id: z.string(),
    /** Whether it was looked at beside receipts that are like it. */
    is_another: z.boolean(),
  })
  .refine(
    ({ amount, withheld }) => (amountOrNull(amount) ?? 0) + (amountOrNull(withheld) ?? 0) > 0,
    {
      path: ['amount'],
      error: 'Amount must be greater than 0',
    },
  );
export type ReceiptForm = z.infer<typeof receiptSchema>;

export const writeOffSchema = z.object({ reason: reasonField });

/**
 * What a client who withholds tax pays of an invoice. The tax is on the price without tax.
 * @param rate a fraction: 0.1 is 10 %
 */
export function lessWithheld(
  { open_amount, subtotal, total }: Pick<Invoice, 'open_amount' | 'subtotal' | 'total'>,
  rate: number,
) {
  const open = parseCents(open_amount);
  const whole = parseCents(total);
  // In whole numbers, half a cent upwards: a product of fractions would fall beside the half. Rates have six places.
  const taxed = open * (whole === 0n ? 1n : parseCents(subtotal)) * BigInt(Math.round(rate * 1e6));
  const divisor = (whole === 0n ? 1n : whole) * 1_000_000n;
  const withheld = (2n * taxed + divisor) / (2n * divisor);
  return { amount: centsToNumber(open - withheld), withheld: centsToNumber(withheld) };
}

export const orderSchema = z.object({
  purchase_order: textField('Order number', limits.INVOICES_PURCHASE_ORDER_MAX),
});
export type OrderForm = z.infer<typeof orderSchema>;

export const sendSchema = z.object({
  email: z.email('Enter an e-mail address'),
  /** Although the client contests it. */
  is_meant: z.boolean(),
});
