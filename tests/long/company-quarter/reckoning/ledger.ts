// What clients owe: invoices, credit notes and receipts, and the statement of account that follows.
import { least, most } from '#tests/support/cents.ts';
import { type Invoice, type Line, openOf, sumOf } from './lines.ts';

export interface Receipt {
  id: string;
  client: string;
  currency: string;
  amount: bigint;
  day: number;
  /** In the order in which it was recorded. */
  paid: Map<Invoice, bigint>;
  voidedOn?: number;
}

export interface Entry {
  day: number;
  kind: 'invoice' | 'credit_note' | 'receipt' | 'void';
  charge: bigint;
  payment: bigint;
}

const sum = (amounts: Iterable<bigint>): bigint => {
  let all = 0n;
  for (const amount of amounts) all += amount;
  return all;
};

export const onAccount = ({ amount, paid, voidedOn }: Receipt): bigint =>
  voidedOn === undefined ? amount - sum(paid.values()) : 0n;

export class Ledger {
  readonly receipts: Receipt[] = [];
  readonly #entries: (Entry & { client: string; currency: string })[] = [];
  readonly #invoices: Invoice[];

  constructor(invoices: Invoice[]) {
    this.#invoices = invoices;
  }

  #enter(of: Pick<Receipt, 'client' | 'currency'>, entry: Entry): void {
    this.#entries.push({ client: of.client, currency: of.currency, ...entry });
  }

  issue(invoice: Invoice): void {
    this.#enter(owner(invoice), {
      day: invoice.issuedOn,
      kind: 'invoice',
      charge: sumOf(invoice.lines),
      payment: 0n,
    });
  }

  /** What is paid beyond the rest goes back on account, the latest receipt first. */
  credit(invoice: Invoice, lines: Line[], day: number): bigint {
    const amount = sumOf(lines);
    let back = most(0n, invoice.paid - (sumOf(invoice.lines) - invoice.credited - amount));
    for (const receipt of [...this.receipts].reverse().sort((a, b) => b.day - a.day)) {
      const part = least(back, receipt.paid.get(invoice) ?? 0n);
      if (part === 0n) continue;
      const rest = (receipt.paid.get(invoice) ?? 0n) - part;
      if (rest > 0n) receipt.paid.set(invoice, rest);
      else receipt.paid.delete(invoice);
      invoice.paid -= part;
      back -= part;
    }
    invoice.credited += amount;
    for (const line of lines) {
      line.credited = true;
      for (const hours of line.hours) delete hours.state;
    }
    this.#enter(owner(invoice), { day, kind: 'credit_note', charge: 0n, payment: amount });
    return amount;
  }

  record(receipt: Omit<Receipt, 'paid'>, allocations?: [Invoice, bigint][]): void {
    const own: Receipt = { ...receipt, paid: new Map() };
    this.receipts.push(own);
    this.#enter(receipt, {
      day: receipt.day,
      kind: 'receipt',
      charge: 0n,
      payment: receipt.amount,
    });
    if (allocations === undefined) this.allocate(own);
    for (const [invoice, amount] of allocations ?? []) pay(own, invoice, amount);
  }

  /** The oldest that is due first. */
  allocate(receipt: Receipt): void {
    const due = (invoice: Invoice) => invoice.issuedOn + invoice.contract.termDays;
    const open = this.#invoices
      .filter(
        (one) =>
          one.contract.client.id === receipt.client && one.contract.currency === receipt.currency,
      )
      .filter((one) => openOf(one) > 0n && !receipt.paid.has(one))
      .sort((a, b) => due(a) - due(b) || a.number.localeCompare(b.number));
    for (const invoice of open) pay(receipt, invoice, least(openOf(invoice), onAccount(receipt)));
  }

  void(receipt: Receipt, day: number): void {
    for (const [invoice, amount] of receipt.paid) invoice.paid -= amount;
    receipt.paid.clear();
    receipt.voidedOn = day;
    this.#enter(receipt, { day, kind: 'void', charge: receipt.amount, payment: 0n });
  }

  statement(client: string, currency: string): Entry[] {
    return this.#entries.filter((entry) => entry.client === client && entry.currency === currency);
  }
}

const owner = ({ contract }: Invoice) => ({
  client: contract.client.id,
  currency: contract.currency,
});

function pay(receipt: Receipt, invoice: Invoice, amount: bigint): void {
  if (amount === 0n) return;
  receipt.paid.set(invoice, (receipt.paid.get(invoice) ?? 0n) + amount);
  invoice.paid += amount;
}
