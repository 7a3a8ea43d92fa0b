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
  workedIn,
} from './draft.ts';
import { fixedLines, gapLines, hourLines, minimumLines } from './drafting.ts';
import { monthEnd, monthStart } from './hours.ts';
import { type Line, quantityOf, worth } from './lines.ts';
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
const waitingHours = (draft: Draft): Expected[] =>
  hoursIn(draft).flatMap(({ hours, term }) =>
    hours.state === undefined && !draft.moment.isApproved(hours)
      ? [{ term, post: hours.place.post, day: hours.day, minutes: hours.minutes }]
      : [],
  );

function estimate(draft: Draft, of: Expected): Line[] {
  const { term, post, day, minutes } = of;
  const end = Math.min(draft.last, monthEnd(day));
  const on = Math.min(Math.max(draft.today, monthStart(day)), end);
  const rate = priceOn(term, 'regular', on);
  if (minutes <= 0 || rate === undefined) return [];
  return [
    line({
      term,
      post,
      kind: 'estimate',
      quantity: quantityOf(minutes),
      cents: worth(minutes, rate),
      taxRate: taxOn(draft.contract, on),
      month: monthStart(day),
      days: [day, end],
    }),
  ];
}

const minutesOf = (all: { minutes: number }[]): number =>
  all.reduce((sum, { minutes }) => sum + minutes, 0);

function estimates(draft: Draft): Line[] {
  if (draft.last < draft.today) return [];
  const planned = plannedHours(draft);
  const expected = [...planned, ...waitingHours(draft)].filter(
    ({ term }) => term.basis !== 'fixed',
  );
  const lines = grouped(expected, ({ term, post, day }) => [
    term.id,
    post,
    monthStart(day),
  ]).flatMap((group) => {
    const [one] = group;
    if (!one) return [];
    const day = Math.min(...group.map((each) => each.day));
    return estimate(draft, { ...one, day, minutes: minutesOf(group) });
  });
  const minimums = monthsOf(draft).flatMap((month) => {
    const { term, first, last } = month;
    if (term.basis !== 'minimum' || last < draft.today) return [];
    const toCome = planned.filter(
      (one) => one.term === term && monthStart(one.day) === monthStart(first),
    );
    const minutes = minimumOf(month) - workedIn(draft, term, first) - minutesOf(toCome);
    return estimate(draft, { term, post: term.post, day: Math.min(draft.today, last), minutes });
  });
  return [...lines, ...minimums];
}

/** Nothing comes after the contract. */
const end = ({ days, term }: Line): number => Math.min(days[1] ?? 0, term.contract.last ?? NEVER);

/** Estimates on issued invoices that nothing has taken back. */
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
  return [
    ...hourLines(draft),
    ...fixedLines(draft),
    ...minimumLines(draft),
    ...gapLines(draft),
    ...estimates(draft),
    ...settlements(draft),
  ];
}
