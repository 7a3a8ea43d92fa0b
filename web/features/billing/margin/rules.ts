import { z } from 'zod';
import { printedRate } from '#shared/documents/printed-invoice.ts';
import { parseCents } from '#shared/money.ts';
import { formatMonths, startOfMonth, toDay, today } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import { type MARGIN_GROUPS, type MarginSearch, NONE } from './search.ts';

const text = z.string().nullable();

/** Exact, as text. */
const amounts = {
  billed: z.string(),
  wages: z.string(),
  employer: z.string(),
  /** Expenses of the site. */
  direct: z.string(),
  margin: z.string(),
  billed_minutes: z.number(),
  worked_minutes: z.number(),
};

const place = { site_id: text, site_name: text, client_id: text, client_name: text };

/** Liberian dollars for a US dollar that were used to convert. */
const rates = z.array(z.number());

export const marginSchema = z.array(
  z.object({
    ...place,
    /** Its first day. */
    month: z.string(),
    currency: z.string(),
    ...amounts,
    rates,
  }),
);
/** A site in a month and a currency. */
export type MarginRow = z.infer<typeof marginSchema>[number];

const sumSchema = z.object({
  ...place,
  /** Its first day, if the sums are by month. */
  month: text,
  ...amounts,
});
/** For a site, a client or a month, in one currency. */
export type MarginSum = z.infer<typeof sumSchema>;

export const marginSumsSchema = z.array(
  z.object({
    currency: z.string(),
    ...amounts,
    rates,
    months: z.array(z.object({ month: z.string(), ...amounts })),
    /** Sums on all pages. */
    count: z.number(),
    rows: z.array(sumSchema),
  }),
);
/** All amounts in one currency, with a page of the sums. */
export type CurrencyMargin = z.infer<typeof marginSumsSchema>[number];

/** Days in the first and the last month, yyyy-MM-dd. */
export type Months = { from: string; to: string };

/** @returns the months that the address names, or the last six whole ones */
export const shownMonths = ({ from, to }: Pick<MarginSearch, 'from' | 'to'>): Months => ({
  from: from ?? toDay(startOfMonth(-6)),
  to: to ?? dayAfter(`${today().slice(0, 7)}-01`, -1),
});

export type MarginGroup = (typeof MARGIN_GROUPS)[number];

type Head = {
  id: string;
  name: string;
  /** The client of a site. */
  hint: string | undefined;
  /** Opens the hours of a site, or the sites of a client. */
  opens: string | undefined;
};

export function describeSum(sum: MarginSum, by: MarginGroup): Head {
  if (sum.month !== null) {
    const name = formatMonths(sum.month, sum.month);
    return { id: sum.month, name, hint: undefined, opens: undefined };
  }
  if (by === 'client') {
    const name = sum.client_name ?? 'No client';
    return { id: sum.client_id ?? '', name, hint: undefined, opens: sum.client_id ?? NONE };
  }
  const isOffice = sum.site_id === null;
  return {
    id: `${sum.site_id} ${sum.client_id}`,
    name: sum.site_name ?? 'No site',
    hint:
      sum.client_name ??
      (isOffice ? 'Pay without hours at a site, lines without one' : 'No client'),
    opens: sum.site_id ?? NONE,
  };
}

/** @returns for example "12.5 % of billed"; undefined without revenue */
export function formatShare(sum: Pick<MarginSum, 'margin' | 'billed'>) {
  const billed = parseCents(sum.billed);
  if (billed <= 0n) return undefined;
  return `${(Number((parseCents(sum.margin) * 1000n) / billed) / 10).toFixed(1)} % of billed`;
}

/** @returns for example "L$195.00 for $1.00" of each rate, ascending; undefined if nothing was converted */
export function ratesText(rates: readonly number[]): string | undefined {
  if (rates.length === 0) return undefined;
  const texts = [...rates].sort((a, b) => a - b).map((rate) => printedRate(rate, 'LRD'));
  return `${[...new Set(texts)].join(', ')} for $1.00`;
}
