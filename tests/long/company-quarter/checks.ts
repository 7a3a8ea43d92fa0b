// What the database says at the end of the quarter, beside what our own books say; both as sorted texts.
import { ask, type Row } from '#tests/support/acting.ts';
import { cents, shown } from '#tests/support/cents.ts';
import { dateOf } from '../company-month/calendar.ts';
import { FIRST } from './clients.ts';
import type { Client } from './facts.ts';
import type { Quarter } from './quarter.ts';
import { monthStart } from './reckoning/hours.ts';
import { onAccount } from './reckoning/ledger.ts';
import { openOf, sumOf } from './reckoning/lines.ts';
import { priceOn, termOn } from './reckoning/terms.ts';

interface Compared {
  found: string[];
  expected: string[];
}

const asFinance = ({ owner, office }: Quarter, sql: string, values: unknown[] = []) =>
  ask(owner, office.finance, sql, values);

const dueOn = ({ issuedOn, contract }: Quarter['books']['invoices'][number]): number =>
  issuedOn + contract.termDays;

/** Number, due day, total, and what is credited, paid and open of each invoice. */
export async function compareInvoices(quarter: Quarter): Promise<Compared> {
  const rows = await asFinance(
    quarter,
    `select concat_ws(' ', number, due_on, total, credited, paid, open_amount) as invoice
     from invoices where status <> 'draft' order by 1`,
  );
  const expected = quarter.books.invoices.map((invoice) =>
    [
      invoice.number,
      dateOf(dueOn(invoice)),
      ...[sumOf(invoice.lines), invoice.credited, invoice.paid, openOf(invoice)].map(shown),
    ].join(' '),
  );
  return { found: rows.map(({ invoice }) => String(invoice)), expected: expected.sort() };
}

export interface Account {
  client: Client;
  currency: string;
}

export const accounts = ({ company }: Quarter): Account[] =>
  company.clients.flatMap((client) =>
    [...new Set(client.contracts.map(({ currency }) => currency))].map((currency) => ({
      client,
      currency,
    })),
  );

const AGES: [until: number, column: string][] = [
  [0, 'not_due'],
  [30, 'days_30'],
  [60, 'days_60'],
  [90, 'days_90'],
];

function agesOf({ books, ledger, today }: Quarter, { client, currency }: Account): string {
  const sums = new Map<string, bigint>();
  for (const invoice of books.invoices) {
    if (invoice.contract.client !== client || invoice.contract.currency !== currency) continue;
    const age = today - dueOn(invoice);
    const column = AGES.find(([until]) => age <= until)?.[1] ?? 'over_90';
    sums.set(column, (sums.get(column) ?? 0n) + openOf(invoice));
  }
  const rest = ledger.receipts
    .filter((receipt) => receipt.client === client.id && receipt.currency === currency)
    .reduce((sum, receipt) => sum + onAccount(receipt), 0n);
  const columns = [...AGES.map(([, column]) => column), 'over_90'];
  return [...columns.map((column) => shown(sums.get(column) ?? 0n)), shown(rest)].join(' ');
}

/** The entries of a statement, its balance after each day, and the ages of what is open. */
export async function compareAccount(quarter: Quarter, account: Account): Promise<Compared> {
  const { client, currency } = account;
  const rows = await asFinance(
    quarter,
    'select day::text, kind, charge, payment, balance from client_statement($1, $2, $3, $4)',
    [client.id, currency, dateOf(FIRST), dateOf(quarter.today)],
  );
  const entries = quarter.ledger.statement(client.id, currency);
  const told = rows
    .filter(({ kind }) => kind !== 'opening' && kind !== 'closing')
    .map(
      ({ day, kind, charge, payment }) =>
        `${day} ${kind} ${Number(charge).toFixed(2)} ${Number(payment).toFixed(2)}`,
    );
  const ours = entries.map(
    ({ day, kind, charge, payment }) => `${dateOf(day)} ${kind} ${shown(charge)} ${shown(payment)}`,
  );
  const balances = new Map(
    rows.map(({ day, balance }) => [String(day), cents(Number(balance).toFixed(2))]),
  );
  const after = [...balances].map(([day, balance]) => `${day} ${shown(balance)}`);
  const reckoned = [...balances.keys()].map((day) => {
    const until = entries.filter((entry) => dateOf(entry.day) <= day);
    return `${day} ${shown(until.reduce((sum, { charge, payment }) => sum + charge - payment, 0n))}`;
  });
  const [ages] = await asFinance(
    quarter,
    `select concat_ws(' ', not_due, days_30, days_60, days_90, over_90, on_account) as ages
     from invoice_ageing($1) where currency = $2`,
    [client.id, currency],
  );
  const nothing = Array.from({ length: AGES.length + 2 }, () => '0.00').join(' ');
  const shownAges = String(ages?.ages ?? nothing)
    .split(' ')
    .map((amount) => Number(amount).toFixed(2))
    .join(' ');
  return {
    found: [...told.sort(), ...after, shownAges],
    expected: [...ours.sort(), ...reckoned, agesOf(quarter, account)],
  };
}

const amountOf = (value: unknown): bigint => cents(Number(value).toFixed(2));

/** Documents whose lines don't balance, and by currency what the journal says that clients owe, and what they do. */
export async function compareJournal(quarter: Quarter) {
  const [answer] = await asFinance(quarter, 'select journal_lines($1, $2) as lines', [
    dateOf(FIRST),
    dateOf(quarter.today),
  ]);
  const lines: Row[] = Array.isArray(answer?.lines) ? answer.lines : [];
  const documents = new Map<string, bigint>();
  const receivables: Record<string, bigint> = { USD: 0n, LRD: 0n };
  for (const { document, currency, debit, credit, account_code: code } of lines) {
    const amount = amountOf(debit) - amountOf(credit);
    const key = `${document} ${currency}`;
    documents.set(key, (documents.get(key) ?? 0n) + amount);
    if (code === '1100')
      receivables[String(currency)] = (receivables[String(currency)] ?? 0n) + amount;
  }
  const owed: Record<string, bigint> = { USD: 0n, LRD: 0n };
  for (const { client, currency } of accounts(quarter))
    for (const { charge, payment } of quarter.ledger.statement(client.id, currency))
      owed[currency] = (owed[currency] ?? 0n) + charge - payment;
  const unbalanced = [...documents].flatMap(([key, sum]) => (sum === 0n ? [] : [key]));
  return { count: documents.size, unbalanced, receivables, owed };
}

export async function compareCoverage(
  quarter: Quarter,
  first: number,
  last: number,
): Promise<Compared> {
  const { books, moment, company } = quarter;
  const rows = await asFinance(
    quarter,
    `select concat_ws(' ', site_id, coalesce(post_id::text, '-'), day, required_minutes, worked_minutes, uncovered_minutes,
       late_minutes, overstaffed_minutes) as row from coverage($1, $2, null)`,
    [dateOf(first), dateOf(last)],
  );
  const expected = company.clients.flatMap(({ places }) =>
    places.flatMap((place) =>
      [...books.coverage.of(place, moment.now, moment.hasArrived)].flatMap(([day, sums]) =>
        day < first || day > last
          ? []
          : [[place.site, place.post ?? '-', dateOf(day), ...Object.values(sums)].join(' ')],
      ),
    ),
  );
  return { found: rows.map(({ row }) => String(row)).sort(), expected: expected.sort() };
}

/** What is neither billed nor waived, by record and reason, and how the worked minutes divide. */
export async function compareTime(quarter: Quarter, first: number, last: number) {
  const { books, moment, records } = quarter;
  const days = [dateOf(first), dateOf(last)];
  const rows = await asFinance(
    quarter,
    `select concat_ws(' ', attendance_id, reason) as record, sum(minutes)::integer as minutes
     from unbilled_time($1, $2) group by 1`,
    days,
  );
  const [taken] = await asFinance(
    quarter,
    `select sum(minutes) filter (where waived_at is null)::integer as billed,
       sum(minutes) filter (where waived_at is not null)::integer as waived
     from billed_time where freed_at is null and lower(span) >= $1::date and lower(span) < $2::date + 1`,
    days,
  );
  const months = new Set(
    books.invoices.flatMap(({ lines }) =>
      lines.flatMap((line) =>
        line.kind === 'fixed' && !line.credited ? [`${line.term.id} ${line.month}`] : [],
      ),
    ),
  );
  const open = new Map<string, number>();
  let [worked, paidByMonth] = [0, 0];
  for (const hours of [...books.hours.values()].flat()) {
    const { place, day, kind, minutes, state, presence, duty } = hours;
    if (day < first || day > last || !moment.hasArrived(duty)) continue;
    worked += minutes;
    if (state !== undefined) continue;
    const term = termOn(place.client, place, day);
    if (term?.basis === 'fixed' && months.has(`${term.id} ${monthStart(day)}`)) {
      paidByMonth += minutes;
      continue;
    }
    const reason = !term
      ? 'no_contract'
      : !moment.isApproved(hours)
        ? 'not_approved'
        : term.basis === 'fixed'
          ? 'month_not_billed'
          : priceOn(term, kind, day) === undefined
            ? 'no_rate'
            : 'not_drafted';
    const key = `${records.get(presence)} ${reason}`;
    open.set(key, (open.get(key) ?? 0) + minutes);
  }
  const unbilled = rows.reduce((sum, { minutes }) => sum + Number(minutes), 0);
  return {
    found: rows.map(({ record, minutes }) => `${record} ${minutes}`).sort(),
    expected: [...open].map(([record, minutes]) => `${record} ${minutes}`).sort(),
    sums: [Number(taken?.billed), Number(taken?.waived), paidByMonth, unbilled],
    worked,
  };
}
