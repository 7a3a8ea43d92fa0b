// What the functions of the money dashboards return, and the sums that the panels show. Amounts are exact texts.
import { z } from 'zod';
import { parseCents, sumCents } from '#shared/money.ts';
import { dayAfter } from '#web/lib/format/days.ts';

const text = z.string().nullable();

const moneySchema = z.object({
  currency: z.string(),
  /** The last statements of active accounts, moved on by the books; the books alone without statements. */
  bank: z.string(),
  statements: text,
  statements_on: text,
  moved_since: text,
  /** What the books have in the bank; null if nothing was booked there. */
  books: text,
  cash: z.string(),
  mobile_money: z.string(),
});
export type Money = z.infer<typeof moneySchema>;

export const SOURCES = [
  'invoices',
  'invoices_to_come',
  'pay_runs',
  'paye',
  'nasscorp',
  'vat',
  'loans',
  'expenses',
] as const;
export type Source = (typeof SOURCES)[number];

const expectedSchema = z.object({
  currency: z.string(),
  source: z.enum(SOURCES),
  /** From 1; null after the last week. */
  week: z.number().nullable(),
  day: z.string(),
  /** Below zero if it leaves. */
  amount: z.string(),
  document: z.string(),
  opens: text,
  reason: z.string(),
});
export type Expected = z.infer<typeof expectedSchema>;

export const cashSchema = z.object({
  today: z.string(),
  weeks: z.number(),
  money: z.array(moneySchema),
  rows: z.array(expectedSchema),
});
export type Cash = z.infer<typeof cashSchema>;

const byUsdFirst = (a: string, b: string) => b.localeCompare(a);

/** @returns every currency that there is money in, or in which money is expected */
export const currenciesOf = ({ money, rows }: Cash) =>
  [...new Set([...money, ...rows].map(({ currency }) => currency))].sort(byUsdFirst);

/** What there is of a currency today. */
export const totalOf = (money: Money | undefined) =>
  money ? sumCents([money.bank, money.cash, money.mobile_money]) : 0n;

export type Week = {
  week: number;
  /** Its first day, yyyy-MM-dd. */
  begins: string;
  comes: bigint;
  goes: bigint;
  /** What is left at its end. */
  balance: bigint;
};

/** @returns the weeks of a currency in their order */
export function weeksOf(cash: Cash, currency: string): Week[] {
  const rows = cash.rows.filter((row) => row.currency === currency);
  let balance = totalOf(cash.money.find((each) => each.currency === currency));
  return Array.from({ length: cash.weeks }, (_, index) => {
    const amounts = rows
      .filter(({ week }) => week === index + 1)
      .map(({ amount }) => parseCents(amount));
    const comes = amounts.filter((each) => each > 0n).reduce((sum, each) => sum + each, 0n);
    const goes = amounts.filter((each) => each < 0n).reduce((sum, each) => sum - each, 0n);
    balance += comes - goes;
    return {
      ...{ week: index + 1, begins: dayAfter(cash.today, 7 * index), comes, goes, balance },
    };
  });
}

export type SourceSum = { source: Source; currency: string; cents: bigint; documents: number };

/** @returns the sum of each source within the weeks, those without documents left out */
export function sourcesOf({ rows }: Cash, currency: string): SourceSum[] {
  return SOURCES.flatMap((source) => {
    const own = rows.filter(
      (row) => row.source === source && row.currency === currency && row.week !== null,
    );
    if (own.length === 0) return [];
    return {
      source,
      currency,
      cents: sumCents(own.map(({ amount }) => amount)),
      documents: own.length,
    };
  });
}

export const debtorsSchema = z.object({
  months: z.array(
    z.object({
      /** Its first day. */
      month: z.string(),
      currency: z.string(),
      owed: z.string(),
      billed: z.string(),
      /** Null if nothing was billed in three months. */
      days: z.number().nullable(),
    }),
  ),
  clients: z.array(
    z.object({
      client_id: z.string(),
      client: z.string(),
      currency: z.string(),
      open: z.string(),
      overdue: z.string(),
      terms: z.number(),
      /** Days from issue to payment; null before the first payment. */
      habit: z.number().nullable(),
      invoices: z.number().nullable(),
    }),
  ),
});
export type Debtors = z.infer<typeof debtorsSchema>;
export type Debtor = Debtors['clients'][number];

/** @returns the months from the first in which something was owed or billed */
export function debtorMonths({ months }: Debtors, currency: string) {
  const own = months.filter((each) => each.currency === currency);
  const first = own.findIndex(
    ({ owed, billed }) => parseCents(owed) !== 0n || parseCents(billed) !== 0n,
  );
  return first === -1 ? [] : own.slice(first);
}

const contractSchema = z.object({
  /** Null: costs that are of no contract, or of no client. */
  contract_id: text,
  contract: text,
  client_id: text,
  client: text,
  /** Of those that lose money: the month that shows it, and the first one in a row. */
  newest: text,
  since: text,
  months: z.array(
    z.object({ month: z.string(), billed: z.string(), cost: z.string(), margin: z.string() }),
  ),
});
export const marginsSchema = z.object({
  currency: z.string(),
  first: z.string(),
  last: z.string(),
  contracts: z.array(contractSchema),
});
export type Margins = z.infer<typeof marginsSchema>;
type ContractMargin = z.infer<typeof contractSchema>;

/** @returns the first days of the months from the first day to the last */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  for (let day = first; day <= last; day = `${dayAfter(day, 31).slice(0, 7)}-01`) months.push(day);
  return months;
}

type MonthSum = { month: string; billed: bigint; cost: bigint; margin: bigint };

/** @returns the sums of these contracts in each month */
export const sumMonths = (
  contracts: readonly ContractMargin[],
  months: readonly string[],
): MonthSum[] =>
  months.map((month) => {
    const own = contracts.flatMap((each) => each.months.filter((sum) => sum.month === month));
    const billed = sumCents(own.map((each) => each.billed));
    const cost = sumCents(own.map((each) => each.cost));
    return { month, billed, cost, margin: billed - cost };
  });

export type ClientMargin = {
  /** Null: costs without a client. */
  client_id: string | null;
  name: string;
  contracts: ContractMargin[];
  months: MonthSum[];
  billed: bigint;
  cost: bigint;
  margin: bigint;
};

/** @returns the clients, the worst margin first */
export function marginByClient({ contracts }: Margins, months: readonly string[]): ClientMargin[] {
  const ids = [...new Set(contracts.map(({ client_id }) => client_id))];
  const sum = (all: readonly MonthSum[], key: 'billed' | 'cost' | 'margin') =>
    all.reduce((total, each) => total + each[key], 0n);
  return ids
    .map((client_id) => {
      const own = contracts.filter((each) => each.client_id === client_id);
      const sums = sumMonths(own, months);
      return {
        client_id,
        name: own[0]?.client ?? 'No client',
        contracts: own,
        months: sums,
        ...{ billed: sum(sums, 'billed'), cost: sum(sums, 'cost'), margin: sum(sums, 'margin') },
      };
    })
    .sort((a, b) =>
      a.margin === b.margin ? a.name.localeCompare(b.name) : a.margin < b.margin ? -1 : 1,
    );
}

const gap = { currency: text, minutes: z.number(), unbilled: z.string(), credited: z.string() };
export const hoursSchema = z.object({
  first: z.string(),
  last: z.string(),
  overtime: z.array(
    z.object({
      month: z.string(),
      currency: z.string(),
      minutes: z.number(),
      amount: z.string(),
      gross: z.string(),
    }),
  ),
  /** Without a currency: at places that no contract covers. */
  gaps: z.array(z.object({ month: z.string(), ...gap })),
  clients: z.array(z.object({ client_id: text, client: text, ...gap })),
});
export type Hours = z.infer<typeof hoursSchema>;

/** @returns for example "3.2 %"; undefined of nothing */
export function shareOf(part: string, whole: string): string | undefined {
  const [a, b] = [parseCents(part), parseCents(whole)];
  return b > 0n ? `${(Number((a * 1000n) / b) / 10).toFixed(1)} %` : undefined;
}
