// How much of a line a credit note takes back. The database checks it and works the tax out.
import { centsToNumber, parseAmount, parseCents } from '#shared/money.ts';
import type { CreditForm, CreditNote, InvoiceLine } from './schema.ts';

type Left = {
  amount: bigint;
  tax: bigint;
  /** Times 10,000; undefined once an amount was credited that is no number of its units. */
  quantity: bigint | undefined;
};

/** Quantities and rates have four decimals at most. */
const scaled = (figure: number | string) => BigInt(Math.round(Number(figure) * 10_000));

/** @returns what no credit note has taken back, in cents */
export function leftOfLine(line: InvoiceLine, notes: readonly CreditNote[]): Left {
  let amount = parseCents(line.amount);
  let tax = parseCents(line.tax_amount);
  let quantity: bigint | undefined = scaled(line.quantity);
  for (const { credit_note_lines } of notes) {
    for (const part of credit_note_lines) {
      if (part.invoice_lines.id !== line.id) continue;
      amount -= parseCents(part.amount);
      tax -= parseCents(part.tax_amount);
      const isCounted = part.unit === line.unit && part.rate === line.rate;
      quantity =
        isCounted && quantity !== undefined ? quantity - scaled(part.quantity ?? 0) : undefined;
    }
  }
  return { amount, tax, quantity };
}

/** Other lines follow from these, so they are credited whole. */
const WHOLE = ['estimate', 'minimum', 'gap_credit', 'settlement'];

/** @returns whether a part of the line can be credited */
export const hasParts = ({ kind, amount }: InvoiceLine): boolean =>
  !WHOLE.includes(kind) && amount > 0;

/** @returns cents that the rate makes of what was entered; undefined while nothing sensible is entered */
function askedOf(line: InvoiceLine, how: 'quantity' | 'amount', entry: string): bigint | undefined {
  if (how === 'amount') {
    const amount = parseAmount(entry);
    return amount === undefined ? undefined : parseCents(amount);
  }
  if (!/^\d{1,10}(\.\d{1,4})?$/.test(entry.trim())) return undefined;
  return (scaled(entry) * scaled(line.rate) + 500_000n) / 1_000_000n;
}

/** @returns what the credit note takes back of the line with tax, in cents; undefined while it can't be said */
export function creditOf(line: InvoiceLine, left: Left, form: CreditForm): bigint | undefined {
  const how = form.how[line.id] ?? 'whole';
  const rest = left.amount + left.tax;
  if (how === 'whole') return rest;
  const entry = form.entries[line.id] ?? '';
  const asked = askedOf(line, how, entry);
  const price = line.price_with_tax === null ? left.amount : rest;
  if (asked === undefined || asked <= 0n) return undefined;
  if (asked === price || (how === 'quantity' && scaled(entry) === left.quantity)) return rest;
  if (asked > price) return undefined;
  if (line.price_with_tax !== null) return asked;
  const tax = BigInt(Math.round(Number(asked) * (line.tax_rate ?? 0)));
  return asked + (tax < left.tax ? tax : left.tax);
}

/** @returns `p_parts` of credit_invoice_parts */
export const partsOf = ({ lines, how, entries }: CreditForm) =>
  lines.map((line_id) => {
    const entry = (entries[line_id] ?? '').trim();
    if (how[line_id] === 'quantity') return { line_id, quantity: entry };
    if (how[line_id] === 'amount') return { line_id, amount: parseAmount(entry) ?? entry };
    return { line_id };
  });

/** @returns of the part that is left, for the hint of a field */
export const priceLeft = (line: InvoiceLine, { amount, tax }: Left): number =>
  centsToNumber(line.price_with_tax === null ? amount : amount + tax);
