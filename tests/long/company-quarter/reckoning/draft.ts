// What drawing an invoice starts from: the days of the draft, its hours, and its months.
import { divided } from '#tests/support/cents.ts';
import type { Contract, PlacedDuty, Term } from '../facts.ts';
import type { Coverage } from './coverage.ts';
import { monthDays, monthEnd, monthStart } from './hours.ts';
import type { Hours, Invoice, Line } from './lines.ts';
import { priceOn, taxOn, termOn } from './terms.ts';

/** When, and what is known then. */
export interface Moment {
  /** Minute. */
  now: number;
  hasArrived: (duty: PlacedDuty) => boolean;
  isApproved: (hours: Hours) => boolean;
}

export interface Books {
  hours: Map<Contract['client'], Hours[]>;
  coverage: Coverage;
  /** Issued. */
  invoices: Invoice[];
}

export interface Draft {
  books: Books;
  moment: Moment;
  contract: Contract;
  today: number;
  first: number;
  last: number;
}

export const ONE = 10_000n;
export const NEVER = Number.POSITIVE_INFINITY;

export const issuedLines = (books: Books, contract: Contract): Line[] =>
  books.invoices
    .filter((invoice) => invoice.contract === contract)
    .flatMap(({ lines }) => lines.filter(({ credited }) => !credited));

export function line(
  of: Pick<Line, 'term' | 'post' | 'kind' | 'quantity' | 'cents' | 'taxRate'> & Partial<Line>,
): Line {
  return { hours: [], days: [], credited: false, ...of };
}

export const grouped = <Item>(items: Item[], keyOf: (item: Item) => unknown[]): Item[][] => {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item).map(String).join('|');
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()];
};

/** Hours of the draft's days under its contract, with their terms. */
export function hoursIn({
  books,
  contract,
  first,
  last,
  moment,
}: Draft): { hours: Hours; term: Term }[] {
  return (books.hours.get(contract.client) ?? []).flatMap((hours) => {
    if (hours.day < first || hours.day > last || !moment.hasArrived(hours.duty)) return [];
    const term = termOn(contract.client, hours.place, hours.day);
    return term?.contract === contract ? [{ hours, term }] : [];
  });
}

export interface Month {
  term: Term;
  /** Of the month that the term holds. */
  first: number;
  last: number;
}

/** Months of posts with a monthly amount or minimum whose last day is within the draft, and that are not billed. */
export function monthsOf({ books, contract, first, last }: Draft): Month[] {
  const billed = issuedLines(books, contract);
  const months: Month[] = [];
  for (const term of contract.terms) {
    if (term.basis === 'worked') continue;
    for (let start = monthStart(first); start <= last; start = monthEnd(start) + 1) {
      const month = {
        term,
        first: Math.max(start, term.first),
        last: Math.min(monthEnd(start), term.last ?? NEVER),
      };
      const isWithin = month.first <= month.last && month.last >= first && month.last <= last;
      const isBilled = billed.some(
        (one) => one.term === term && one.kind === term.basis && one.month === start,
      );
      if (isWithin && !isBilled) months.push(month);
    }
  }
  return months;
}

/** The share of an amount that falls on these days of a month. */
export const share = (amount: bigint, { first, last }: Month): bigint =>
  divided(amount * BigInt(last - first + 1), BigInt(monthDays(first)));

/** What was worked under this term in the month, approved, billed or not. */
export function workedIn({ books, contract, moment }: Draft, term: Term, day: number): number {
  return (books.hours.get(contract.client) ?? [])
    .filter((hours) => monthStart(hours.day) === monthStart(day) && moment.hasArrived(hours.duty))
    .filter((hours) => termOn(contract.client, hours.place, hours.day) === term)
    .filter(({ state }) => state !== 'surplus')
    .reduce((sum, { minutes }) => sum + minutes, 0);
}

/** Days of a month with one price and one tax, and the share of a figure of the month that is theirs. */
export function pricesOf(contract: Contract, { term, first, last }: Month, hasRate: boolean) {
  const spans: {
    first: number;
    last: number;
    rate: bigint | undefined;
    tax: bigint | undefined;
  }[] = [];
  for (let day = first; day <= last; day += 1) {
    const rate = hasRate ? priceOn(term, 'regular', day) : undefined;
    const tax = taxOn(contract, day);
    const known = spans.at(-1);
    if (known && known.rate === rate && known.tax === tax) known.last = day;
    else spans.push({ first: day, last: day, rate, tax });
  }
  return spans.map((span) => ({
    ...span,
    /** Of a figure that belongs to so many days: what falls on this span. */
    part: (figure: bigint, days: number): bigint =>
      divided(figure * BigInt(span.last - first + 1), BigInt(days)) -
      divided(figure * BigInt(span.first - first), BigInt(days)),
  }));
}

export const minimumOf = (month: Month): number =>
  Number(share(BigInt(month.term.minimumHours ?? 0) * 60n, month));
