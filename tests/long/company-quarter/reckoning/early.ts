// Invoices before their period is over: estimates of what is still to come, and drafts that take them back.
import { dayAt } from '../../company-month/calendar.ts';
import type { Contract, Term } from '../facts.ts';
import {
  type Books,
  type Draft,
  grouped,
  hoursIn,
  issuedLines,
  line,
  type Moment,
  minimumOf,
  monthsOf,
  NEVER,
  pricesOf,
  workedIn,
} from './draft.ts';
import { fixedLines, gapLines, hourLines, minimumLines } from './drafting.ts';
import { decideSurplus } from './headcount.ts';
import { monthEnd, monthStart } from './hours.ts';
import { type Hours, type Line, quantityOf, worth } from './lines.ts';
import { priceOn, taxOn, termOn } from './terms.ts';

interface Expected {
  term: Term;
  post: string | null;
  day: number;
  minutes: number;
}

/** Planned duties that are not over. */
const plannedHours = ({ books, contract, moment, first, last }: Draft): Expected[] =>
  contract.client.places.flatMap((place) =>
    books.coverage.planned(place, moment.now).flatMap(({ from, to }) => {
      const day = dayAt(from);
      const term = termOn(contract.client, place, day);
      const isBilled = term?.contract === contract && day >= first && day <= last;
      return isBilled ? [{ term, post: place.post, day, minutes: to - from }] : [];
    }),
  );

/** Hours that nobody has approved yet. */
const waitingHours = (draft: Draft, surplus: Set<Hours>): Expected[] =>
  hoursIn(draft).flatMap(({ hours, term }) =>
    hours.state === undefined && !draft.moment.isApproved(hours) && !surplus.has(hours)
      ? [{ term, post: hours.place.post, day: hours.day, minutes: hours.minutes }]
      : [],
  );

function estimate(draft: Draft, of: Expected & { rate?: bigint; tax?: bigint }): Line[] {
  const { term, post, day, minutes, rate, tax } = of;
  const end = Math.min(draft.last, monthEnd(day));
  if (minutes <= 0 || rate === undefined) return [];
  return [
    line({
      term,
      post,
      kind: 'estimate',
      quantity: quantityOf(minutes),
      cents: worth(minutes, rate),
      taxRate: tax,
      month: monthStart(day),
      days: [day, end],
    }),
  ];
}

const minutesOf = (all: { minutes: number }[]): number =>
  all.reduce((sum, { minutes }) => sum + minutes, 0);

/** The regular price and the tax of a day. */
function priced({ contract }: Draft, term: Term, day: number): { rate?: bigint; tax?: bigint } {
  const rate = priceOn(term, 'regular', day);
  const tax = taxOn(contract, day);
  return { ...(rate === undefined ? {} : { rate }), ...(tax === undefined ? {} : { tax }) };
}

function estimates(draft: Draft, surplus: Set<Hours>): Line[] {
  if (draft.last < draft.today) return [];
  const planned = plannedHours(draft);
  const expected = [...planned, ...waitingHours(draft, surplus)].filter(
    ({ term }) => term.basis !== 'fixed',
  );
  const lines = grouped(expected, ({ term, post, day }) => [
    term.id,
    post,
    monthStart(day),
    priceOn(term, 'regular', day),
    taxOn(draft.contract, day),
  ]).flatMap((group) => {
    const [one] = group;
    if (!one) return [];
    const day = Math.min(...group.map((each) => each.day));
    return estimate(draft, {
      ...one,
      day,
      minutes: minutesOf(group),
      ...priced(draft, one.term, one.day),
    });
  });
  const minimums = monthsOf(draft).flatMap((month) => {
    const { term, first, last } = month;
    if (term.basis !== 'minimum' || last < draft.today) return [];
    const toCome = planned.filter(
      (one) => one.term === term && monthStart(one.day) === monthStart(first),
    );
    const missing = minimumOf(month) - workedIn(draft, term, first) - minutesOf(toCome);
    const day = Math.min(draft.today, last);
    return pricesOf(draft.contract, month, true).flatMap((span) => {
      const minutes = Number(span.part(BigInt(missing), last - first + 1));
      const { term } = month;
      return estimate(draft, {
        term,
        post: term.post,
        day,
        minutes,
        ...priced(draft, term, span.first),
      });
    });
  });
  return [...lines, ...minimums];
}

/** Nothing comes after the contract. */
const end = ({ days, term }: Line): number => Math.min(days[1] ?? 0, term.contract.last ?? NEVER);

/** Estimates on issued invoices that are not credited. */
function openEstimates(books: Books, contract: Contract): Line[] {
  const lines = issuedLines(books, contract);
  const settled = new Set(lines.map(({ settles }) => settles));
  return lines.filter((one) => one.kind === 'estimate' && !settled.has(one));
}

function settlements({ books, contract, last }: Draft): Line[] {
  return openEstimates(books, contract)
    .filter((one) => end(one) <= last)
    .map((one) =>
      line({
        ...one,
        kind: 'settlement',
        quantity: -one.quantity,
        cents: -one.cents,
        days: [],
        settles: one,
      }),
    );
}

/** The days of the draft: from where an early invoice left off, and up to days that an estimate covers or the contract's end. */
function daysOf(books: Books, contract: Contract, from: number, to: number): [number, number] {
  const open = openEstimates(books, contract);
  const [latest] = books.invoices
    .filter((one) => one.contract === contract && one.lines.some(({ credited }) => !credited))
    .sort((a, b) => b.last - a.last || b.issuedOn - a.issuedOn);
  const isEarly =
    latest !== undefined && latest.last >= from - 100 && latest.issuedOn <= latest.last;
  const first = Math.min(
    from,
    isEarly ? latest.issuedOn : from,
    ...open.filter((one) => end(one) <= to).map(({ days }) => days[0] ?? from),
  );
  const hasEnded = contract.last !== undefined && contract.last >= from;
  const last = Math.min(
    hasEnded ? (contract.last ?? to) : to,
    to,
    ...open.filter((one) => end(one) > to).map(({ days }) => (days[0] ?? to) - 1),
  );
  return [first, last];
}

/** The lines of the invoice of this contract from one day to another, both inclusive. */
export function draw(
  books: Books,
  contract: Contract,
  from: number,
  to: number,
  moment: Moment,
): Line[] {
  const [first, last] = daysOf(books, contract, from, to);
  if (last < first) return [];
  const draft: Draft = { books, moment, contract, today: dayAt(moment.now), first, last };
  const surplus = decideSurplus(draft);
  return [
    ...hourLines(draft),
    ...fixedLines(draft),
    ...minimumLines(draft),
    ...gapLines(draft),
    ...estimates(draft, surplus),
    ...settlements(draft),
  ];
}
