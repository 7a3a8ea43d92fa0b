import { z } from 'zod';
import { printedRate } from '#shared/documents/printed-invoice.ts';
import { centsOf } from '#shared/money.ts';
import { dayOf, formatMonths, startOfMonth, today } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import { type MARGIN_GROUPS, type MarginSearch, NONE } from './search.ts';

const text = z.string().nullable();

export const marginSchema = z.array(
  z.object({
    site_id: text,
    site_name: text,
    client_id: text,
    client_name: text,
    /** Its first day. */
    month: z.string(),
    currency: z.string(),
    billed: z.string(),
    wages: z.string(),
    employer: z.string(),
    /** Expenses of the site. */
    direct: z.string(),
    margin: z.string(),
    billed_minutes: z.number(),
    worked_minutes: z.number(),
    /** Liberian dollars for a US dollar that were used to convert. */
    rates: z.array(z.number()),
  }),
);
/** A site in a month and a currency. */
export type MarginRow = z.infer<typeof marginSchema>[number];

/** Days in the first and the last month, yyyy-MM-dd. */
export type Months = { from: string; to: string };

/** @returns the months that the address names, or the last six whole ones */
export const shownMonths = ({ from, to }: Pick<MarginSearch, 'from' | 'to'>): Months => ({
  from: from ?? dayOf(startOfMonth(-6)),
  to: to ?? dayAfter(`${today().slice(0, 7)}-01`, -1),
});

export type MarginGroup = (typeof MARGIN_GROUPS)[number];

/** Sums in cents of the rows of a site, a client or a month, in one currency. */
export type MarginSum = {
  id: string;
  name: string;
  /** The client of a site. */
  hint: string | undefined;
  /** What opens: the hours of a site, the sites of a client. */
  opens: string | undefined;
  currency: string;
  billed: bigint;
  wages: bigint;
  employer: bigint;
  direct: bigint;
  margin: bigint;
  billed_minutes: number;
  worked_minutes: number;
  rates: number[];
};

function headOf(
  row: MarginRow,
  by: MarginGroup,
): Pick<MarginSum, 'id' | 'name' | 'hint' | 'opens'> {
  if (by === 'month') {
    return {
      id: row.month,
      name: formatMonths(row.month, row.month),
      hint: undefined,
      opens: undefined,
    };
  }
  if (by === 'client') {
    const name = row.client_name ?? 'No client';
    return { id: row.client_id ?? '', name, hint: undefined, opens: row.client_id ?? NONE };
  }
  const isOffice = row.site_id === null;
  return {
    id: `${row.site_id} ${row.client_id}`,
    name: row.site_name ?? 'No site',
    hint:
      row.client_name ??
      (isOffice ? 'Pay without hours at a site, lines without one' : 'No client'),
    opens: row.site_id ?? NONE,
  };
}

/** @returns the sums by site, client or month; the worst margin first, months in their order */
export function sumsBy(rows: readonly MarginRow[], by: MarginGroup): MarginSum[] {
  const sums = new Map<string, MarginSum>();
  for (const row of rows) {
    const head = headOf(row, by);
    const key = `${head.id} ${row.currency}`;
    const sum = sums.get(key) ?? {
      ...head,
      id: key,
      currency: row.currency,
      billed: 0n,
      wages: 0n,
      employer: 0n,
      direct: 0n,
      margin: 0n,
      billed_minutes: 0,
      worked_minutes: 0,
      rates: [],
    };
    sums.set(key, {
      ...sum,
      billed: sum.billed + centsOf(row.billed),
      wages: sum.wages + centsOf(row.wages),
      employer: sum.employer + centsOf(row.employer),
      direct: sum.direct + centsOf(row.direct),
      margin: sum.margin + centsOf(row.margin),
      billed_minutes: sum.billed_minutes + row.billed_minutes,
      worked_minutes: sum.worked_minutes + row.worked_minutes,
      rates: [...new Set([...sum.rates, ...row.rates])],
    });
  }
  return [...sums.values()].sort((a, b) => {
    if (a.currency !== b.currency) return a.currency < b.currency ? 1 : -1;
    if (by === 'month') return a.id < b.id ? -1 : 1;
    if (a.margin === b.margin) return a.name.localeCompare(b.name);
    return a.margin < b.margin ? -1 : 1;
  });
}

/** @returns for example "12.5 % of billed"; undefined without revenue */
export function shareOf({ margin, billed }: Pick<MarginSum, 'margin' | 'billed'>) {
  if (billed <= 0n) return undefined;
  return `${(Number((margin * 1000n) / billed) / 10).toFixed(1)} % of billed`;
}

/** @returns for example "L$195.00 for $1.00" of each rate, ascending; undefined if nothing was converted */
export function ratesText(rates: readonly number[]): string | undefined {
  if (rates.length === 0) return undefined;
  const texts = [...rates].sort((a, b) => a - b).map((rate) => printedRate(rate, 'LRD'));
  return `${[...new Set(texts)].join(', ')} for $1.00`;
}
