// A quarter over a year's end for 67 clients: invoices, credit notes, receipts and coverage. Another calculation, from the
// clock events and contracts alone, walks through it minute by minute and must come to the same cent.
import { freshDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { ask } from '#tests/support/acting.ts';
import {
  addRate,
  allocateRest,
  creditLines,
  creditWhole,
  receive,
  voidReceipts,
  waive,
} from './acts.ts';
import {
  accounts,
  compareAccount,
  compareCoverage,
  compareInvoices,
  compareJournal,
  compareTime,
} from './checks.ts';
import { FIRST, LAST, WITHOUT_RATE } from './clients.ts';
import type { Client } from './facts.ts';
import { Quarter } from './quarter.ts';

let quarter: Quarter;

const is = (remainder: number, of: number) => (client: Client) => client.number % of === remainder;
const EARLY = is(1, 7);
const SETTLES_LATE = is(1, 2);
const LOOKS_BACK = is(0, 2);

/** December 3: November for all. Some hours are waived first, and half of the clients pay. */
async function november(): Promise<void> {
  await quarter.goTo('2025-12-03');
  await waive(quarter, 97);
  await quarter.issue(await quarter.draft('2025-11-01', '2025-11-30'));
  await receive(quarter, is(0, 3), 1n, 2n);
  await receive(quarter, is(1, 6), 3n, 2n);
}

/** December 18: some invoices are credited and billed again, and some clients are billed for the whole of December. */
async function early(): Promise<void> {
  await quarter.goTo('2025-12-18');
  const credited = [
    ...(await creditWhole(quarter, is(3, 8))),
    ...(await creditLines(quarter, is(5, 8))),
  ];
  for (const client of credited)
    await quarter.issue(await quarter.draft('2025-11-01', '2025-11-30', client));
  for (const client of quarter.company.clients.filter(EARLY))
    await quarter.issue(await quarter.draft('2025-12-01', '2025-12-31', client));
}

/** January 5: December. Half of the early invoices are settled now; half of the clients get what came late as well. */
async function december(): Promise<void> {
  await quarter.goTo('2026-01-05');
  await addRate(quarter, WITHOUT_RATE);
  const drafts = await quarter.draft('2025-12-01', '2025-12-31');
  const isLater = (client: Client) => EARLY(client) && SETTLES_LATE(client);
  const redrawn = (client: Client) => LOOKS_BACK(client) || isLater(client);
  await quarter.discard(drafts.filter(({ contract }) => isLater(contract.client)));
  await quarter.issue(drafts.filter(({ contract }) => !redrawn(contract.client)));
  for (const client of quarter.company.clients.filter(LOOKS_BACK))
    if (!isLater(client))
      await quarter.issue(await quarter.draft('2025-11-01', '2025-12-31', client));
  await receive(quarter, is(0, 2), 2n, 3n);
  await voidReceipts(quarter, is(0, 9));
}

/** February 3: January. */
async function january(): Promise<void> {
  await quarter.goTo('2026-02-03');
  await creditLines(quarter, is(6, 8));
  await quarter.issue(await quarter.draft('2026-01-01', '2026-01-31'));
  for (const client of quarter.company.clients.filter(LOOKS_BACK))
    await quarter.issue(await quarter.draft('2025-11-01', '2026-01-31', client));
  await receive(quarter, is(2, 5), 5n, 4n);
  await allocateRest(quarter);
}

beforeAll(async () => {
  const { owner } = await freshDatabase();
  quarter = await Quarter.begin(owner);
  await november();
  await early();
  await december();
  await january();
  // About a minute on a machine of its own.
}, 600_000);

test('every line, total and credit is what the other calculation finds, and nothing of what is compared is missing', () => {
  expect(quarter.differences.slice(0, 8).join('\n')).toBe('');
  const lines = quarter.books.invoices.flatMap((invoice) => invoice.lines);
  expect([...new Set(lines.map(({ kind }) => kind))].sort()).toEqual([
    'estimate',
    'fixed',
    'gap_credit',
    'holiday',
    'minimum',
    'night',
    'overtime',
    'regular',
    'rest_day',
    'settlement',
  ]);
  expect(new Set(quarter.books.invoices.map(({ contract }) => contract.client)).size).toBe(67);
});

test('two people at once get consecutive numbers, counted from 1 each year', async () => {
  const rows = await ask(
    quarter.owner,
    quarter.office.finance,
    `select year, array_agg(sequence order by sequence) as found from invoices where status <> 'draft'
     group by year order by year`,
  );
  expect(rows.map(({ year }) => year)).toEqual([2025, 2026]);
  for (const { found } of rows) {
    const numbers = Array.isArray(found) ? found : [];
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  }
});

test('open, paid and credited amounts, statements and ages agree', async () => {
  const invoices = await compareInvoices(quarter);
  expect(invoices.found).toEqual(invoices.expected);
  for (const account of accounts(quarter)) {
    const { found, expected } = await compareAccount(quarter, account);
    expect(found, account.client.name).toEqual(expected);
  }
});

test('the journal balances by document, and its receivables are what clients owe', async () => {
  const { count, unbalanced, receivables, owed } = await compareJournal(quarter);
  expect(count).toBeGreaterThan(quarter.books.invoices.length);
  expect(unbalanced).toEqual([]);
  expect(receivables).toEqual(owed);
});

test('coverage of every post and day agrees', async () => {
  const { found, expected } = await compareCoverage(quarter, FIRST, LAST);
  expect(found.filter((row) => !expected.includes(row)).slice(0, 8)).toEqual([]);
  expect(found.length).toBe(expected.length);
  expect(found.length).toBeGreaterThan(3_000);
});

test('nothing is billed twice and nothing worked is forgotten', async () => {
  const { found, expected, sums, worked } = await compareTime(quarter, FIRST, LAST);
  expect(found).toEqual(expected);
  // Billed, waived, within a monthly amount, and neither.
  expect(sums.reduce((all, minutes) => all + minutes, 0)).toBe(worked);
  for (const minutes of sums) expect(minutes).toBeGreaterThan(0);
});
