import { z } from 'zod';
import type { CHART_OF_ACCOUNTS_KIND } from '#shared/database.values.ts';
import { parseCents } from '#shared/money.ts';

type Kind = (typeof CHART_OF_ACCOUNTS_KIND)[number];

/** An account in one currency, as account_balances has it. Debits are positive. */
export type Balance = {
  account_id: string;
  code: string;
  name: string;
  kind: string;
  currency: string;
  opening: number;
  debit: number;
  credit: number;
  closing: number;
  /** Of income and expenses: what of the balance is from before the year of the last day. */
  kept: number;
};

/** A line of a statement, in cents; without an account it is a result. */
export type StatementLine = { id: string; account?: Balance; name: string; cents: bigint };
export type StatementPart = { title: string; lines: StatementLine[]; total: bigint };

/** @returns the currencies in which accounts have moved, in their order */
export const currenciesOf = (balances: readonly Balance[]): string[] => [
  ...new Set(balances.map(({ currency }) => currency)),
];

export const sumOf = (amounts: Iterable<bigint>): bigint => {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum;
};

function partOf(
  title: string,
  kind: Kind,
  balances: readonly Balance[],
  centsOf: (balance: Balance) => bigint,
  more: readonly StatementLine[] = [],
): StatementPart {
  const lines = balances
    .filter((balance) => balance.kind === kind)
    .map((account) => ({
      id: account.account_id,
      account,
      name: account.name,
      cents: centsOf(account),
    }));
  const shown = [...lines, ...more].filter(({ cents }) => cents !== 0n);
  return { title, lines: shown, total: sumOf(shown.map(({ cents }) => cents)) };
}

const debitsOf = ({ debit, credit }: Balance) => parseCents(debit) - parseCents(credit);

/** What was earned and spent between the days. @param balances of one currency */
export function profitOf(balances: readonly Balance[]) {
  const income = partOf('Income', 'income', balances, (balance) => -debitsOf(balance));
  const expenses = partOf('Expenses', 'expense', balances, debitsOf);
  return { income, expenses, profit: income.total - expenses.total };
}

/** What the company had and owed at the end of the last day. @param balances of one currency */
export function sheetOf(balances: readonly Balance[]) {
  const isResult = ({ kind }: Balance) => kind === 'income' || kind === 'expense';
  const results = balances.filter(isResult);
  const earlier = -sumOf(results.map(({ kept }) => parseCents(kept)));
  const all = -sumOf(results.map(({ closing }) => parseCents(closing)));
  const owed = (balance: Balance) => -parseCents(balance.closing);
  const assets = partOf('Assets', 'asset', balances, ({ closing }) => parseCents(closing));
  const liabilities = partOf('Liabilities', 'liability', balances, owed);
  const equity = partOf('Equity', 'equity', balances, owed, [
    { id: 'earlier', name: 'Profit of earlier years', cents: earlier },
    { id: 'year', name: 'Profit of this year', cents: all - earlier },
  ]);
  return {
    assets,
    liabilities,
    equity,
    isBalanced: assets.total === liabilities.total + equity.total,
  };
}

const amount = z.string();

export const ledgerSchema = z.object({
  code: z.string(),
  name: z.string(),
  opening: amount,
  closing: amount,
  debit: amount,
  credit: amount,
  /** Of all pages. */
  lines: z.number(),
  rows: z.array(
    z.object({
      /** From 1, on all pages. */
      place: z.number(),
      day: z.string(),
      kind: z.string(),
      document: z.string(),
      opens: z.string().nullable(),
      text: z.string(),
      debit: amount,
      credit: amount,
      balance: amount,
    }),
  ),
});
export type Ledger = z.infer<typeof ledgerSchema>;
export type LedgerRow = Ledger['rows'][number];
