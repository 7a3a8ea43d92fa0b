// What finance does between the invoices: waiving, crediting, receipts. Each is entered in our own books as well.
import { ask, insertRows } from '#tests/support/acting.ts';
import { divided, shown } from '#tests/support/cents.ts';
import { dateOf, dayOf } from '../company-month/calendar.ts';
import { FIRST } from './clients.ts';
import type { Client, Rate } from './facts.ts';
import type { Quarter } from './quarter.ts';
import { onAccount } from './reckoning/ledger.ts';
import { type Invoice, type Line, openOf, sumOf, told } from './reckoning/lines.ts';
import { rateRow } from './settling.ts';

type Choice = (client: Client) => boolean;

const asFinance = ({ owner, office }: Quarter, sql: string, values: unknown[]) =>
  ask(owner, office.finance, sql, values);

/** Waives every so many records of November. */
export async function waive(quarter: Quarter, every: number): Promise<void> {
  const { books, moment, records } = quarter;
  const november = [...books.hours.values()]
    .flat()
    .filter(
      ({ duty, day }) => moment.hasArrived(duty) && day >= FIRST && day < dayOf('2025-12-01'),
    );
  const presences = [...new Set(november.map(({ presence }) => presence))];
  const chosen = new Set(presences.filter((_, index) => index % every === 0));
  const waived = [...books.hours.values()].flat().filter(({ presence }) => chosen.has(presence));
  for (const hours of waived) hours.state = 'waived';
  const [answer] = await asFinance(
    quarter,
    `select waive_time($1, 'Training of ours') as minutes`,
    [[...chosen].map((presence) => records.get(presence))],
  );
  const minutes = waived.reduce((sum, hours) => sum + hours.minutes, 0);
  if (answer?.minutes !== minutes)
    quarter.differences.push(`${answer?.minutes} minutes are waived, not ${minutes}.`);
}

/** Adds a regular price to the contracts of a client, from the first day on. */
export async function addRate({ owner, company }: Quarter, number: number): Promise<void> {
  const [contract] = company.clients[number]?.contracts ?? [];
  if (!contract) throw new Error('This client has no contract.');
  const rate: Rate = { kind: 'regular', amount: 31_415n, from: FIRST };
  contract.rates.push(rate);
  await insertRows(owner, 'rates', [rateRow(contract, rate)]);
}

async function credit(quarter: Quarter, invoice: Invoice, lines?: Line[]): Promise<void> {
  const stored = await asFinance(
    quarter,
    `select id, concat_ws(' ', kind, (quantity * 10000)::bigint, (amount * 100)::bigint) as line
     from invoice_lines where invoice_id = $1 and credited_at is null`,
    [invoice.id],
  );
  const ids = lines?.map(
    ({ kind, quantity, cents }) =>
      stored.find(({ line }) => line === `${kind} ${quantity} ${cents}`)?.id,
  );
  const [note] = await asFinance(
    quarter,
    `select (amount * 100)::bigint::text as amount from credit_invoice($1, 'The wrong post', $2)`,
    [invoice.id, ids ?? null],
  );
  const taken = lines ?? invoice.lines.filter(({ credited }) => !credited);
  const amount = quarter.ledger.credit(invoice, taken, quarter.today);
  if (note?.amount !== String(amount))
    quarter.differences.push(`${invoice.number}: ${note?.amount} is credited, not ${amount}.`);
}

const latestOf = ({ books }: Quarter, client: Client): Invoice | undefined =>
  books.invoices.findLast(({ contract }) => contract.client === client);

/** @returns whose latest invoice is credited in full */
export async function creditWhole(quarter: Quarter, choice: Choice): Promise<Client[]> {
  const clients = quarter.company.clients.filter(choice);
  for (const client of clients) {
    const invoice = latestOf(quarter, client);
    if (invoice) await credit(quarter, invoice);
  }
  return clients;
}

/** @returns of whose latest invoice the dearest line is credited */
export async function creditLines(quarter: Quarter, choice: Choice): Promise<Client[]> {
  const clients = quarter.company.clients.filter(choice);
  for (const client of clients) {
    const invoice = latestOf(quarter, client);
    const left = invoice ? sumOf(invoice.lines) - invoice.credited : 0n;
    const [line] = (invoice?.lines ?? [])
      .filter((one) => !one.credited && one.cents > 0n && sumOf([one]) <= left)
      .filter(({ kind }) => kind !== 'estimate')
      .sort((a, b) => Number(b.cents - a.cents) || told(a).localeCompare(told(b)));
    if (invoice && line) await credit(quarter, invoice, [line]);
  }
  return clients;
}

/** Each client pays this share of what is open in each currency; more than all of it stays on account. */
export async function receive(
  quarter: Quarter,
  choice: Choice,
  share: bigint,
  of: bigint,
): Promise<void> {
  const { ledger, books, today } = quarter;
  for (const client of quarter.company.clients.filter(choice)) {
    for (const currency of new Set(client.contracts.map((contract) => contract.currency))) {
      const open = books.invoices.filter(
        ({ contract }) => contract.client === client && contract.currency === currency,
      );
      const amount = divided(open.reduce((sum, one) => sum + openOf(one), 0n) * share, of);
      if (amount <= 0n) continue;
      // Some say what they pay: half of the newest, and the rest later.
      const newest = open.findLast((one) => openOf(one) > 0n);
      const isNamed = client.number % 4 === 3 && newest !== undefined;
      const half = newest ? divided(openOf(newest) * 2n, 5n) : 0n;
      const named: [Invoice, bigint][] | undefined =
        isNamed && half > 0n && half <= amount ? [[newest, half]] : undefined;
      const id = crypto.randomUUID();
      await asFinance(
        quarter,
        `select record_receipt($1, $2, $3, $4, 'bank', p_allocations => $5, p_id => $6)`,
        [
          client.id,
          currency,
          shown(amount),
          dateOf(today),
          named
            ? JSON.stringify(
                named.map(([invoice, part]) => ({ invoice_id: invoice.id, amount: shown(part) })),
              )
            : null,
          id,
        ],
      );
      ledger.record({ id, client: client.id, currency, amount, day: today }, named);
    }
  }
}

/** The first receipt of each of these clients was a mistake. */
export async function voidReceipts(quarter: Quarter, choice: Choice): Promise<void> {
  const { ledger, today } = quarter;
  for (const client of quarter.company.clients.filter(choice)) {
    const receipt = ledger.receipts.find((one) => one.client === client.id);
    if (receipt?.voidedOn !== undefined || !receipt) continue;
    await asFinance(quarter, `select void_receipt($1, 'Somebody else paid this')`, [receipt.id]);
    ledger.void(receipt, today);
  }
}

/** What is on account pays what is open. */
export async function allocateRest(quarter: Quarter): Promise<void> {
  for (const receipt of quarter.ledger.receipts) {
    if (onAccount(receipt) === 0n) continue;
    await asFinance(quarter, 'select allocate_receipt($1)', [receipt.id]);
    quarter.ledger.allocate(receipt);
  }
}
