// The lines of an invoice: hours, monthly amounts, minimums and credits for gaps. Written from docs/decisions/0045 and what
// contracts say, not from the SQL.
import { divided } from '#tests/support/cents.ts';
import type { Term } from '../facts.ts';
import {
  type Draft,
  grouped,
  hoursIn,
  issuedLines,
  line,
  minimumOf,
  monthsOf,
  NEVER,
  ONE,
  pricesOf,
  share,
  workedIn,
} from './draft.ts';
import { monthDays, monthEnd, monthStart } from './hours.ts';
import { type Line, quantityOf, worth } from './lines.ts';
import { priceOn, taxOn, termOn } from './terms.ts';

export function hourLines(draft: Draft): Line[] {
  const priced = hoursIn(draft).flatMap(({ hours, term }) => {
    const rate = priceOn(term, hours.kind, hours.day);
    const isOpen = hours.state === undefined && draft.moment.isApproved(hours);
    if (!isOpen || term.basis === 'fixed' || rate === undefined) return [];
    return [{ hours, term, rate, tax: taxOn(draft.contract, hours.day) }];
  });
  return grouped(priced, ({ hours, term, rate, tax }) => [
    term.id,
    hours.place.post,
    hours.kind,
    rate,
    tax,
  ]).flatMap((group) => {
    const [one] = group;
    if (!one) return [];
    const minutes = group.reduce((sum, { hours }) => sum + hours.minutes, 0);
    return [
      line({
        term: one.term,
        post: one.hours.place.post,
        kind: one.hours.kind,
        quantity: quantityOf(minutes),
        cents: worth(minutes, one.rate),
        taxRate: one.tax,
        hours: group.map(({ hours }) => hours),
      }),
    ];
  });
}

export function fixedLines(draft: Draft): Line[] {
  return monthsOf(draft).flatMap((month) => {
    const { term } = month;
    const { monthly } = term;
    if (monthly === undefined) return [];
    return pricesOf(draft.contract, month, false).map((span) =>
      line({
        term,
        post: term.post,
        kind: 'fixed',
        quantity: share(ONE, { ...month, ...span }),
        cents: span.part(monthly, monthDays(month.first)),
        taxRate: span.tax,
        month: monthStart(month.first),
      }),
    );
  });
}

export function minimumLines(draft: Draft): Line[] {
  return monthsOf(draft).flatMap((month) => {
    const { term, first, last } = month;
    const missing = minimumOf(month) - workedIn(draft, term, first);
    if (term.basis !== 'minimum' || last >= draft.today || missing <= 0) return [];
    return pricesOf(draft.contract, month, true).flatMap(({ rate, tax, part }) => {
      const minutes = Number(part(BigInt(missing), last - first + 1));
      if (minutes <= 0 || rate === undefined) return [];
      return [
        line({
          term,
          post: term.post,
          kind: 'minimum',
          quantity: quantityOf(minutes),
          cents: worth(minutes, rate),
          taxRate: tax,
          month: monthStart(first),
        }),
      ];
    });
  });
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));

/** The price of an hour as a fraction in ten-thousandths; at a monthly amount, its share of the hours required. */
function gapPrice(draft: Draft, term: Term, day: number): [bigint, bigint] | undefined {
  const { contract, books } = draft;
  const factor = contract.gap === 'penalty' ? contract.factor : ONE;
  if (term.basis !== 'fixed') {
    const rate = priceOn(term, 'regular', day);
    return rate === undefined ? undefined : [rate * factor, ONE];
  }
  const first = Math.max(monthStart(day), term.first);
  const last = Math.min(monthEnd(day), term.last ?? NEVER);
  let required = 0;
  for (const place of contract.client.places)
    for (let on = first; on <= last; on += 1)
      if (termOn(contract.client, place, on) === term)
        required += books.coverage.required(place, on);
  const value = (term.monthly ?? 0n) * 100n * BigInt(last - first + 1) * 60n * factor;
  const by = BigInt(monthDays(day)) * BigInt(required) * ONE;
  return [value / gcd(value, by), by / gcd(value, by)];
}

export function gapLines(draft: Draft): Line[] {
  const { contract, books, moment, first, last, today } = draft;
  if (contract.gap === 'none') return [];
  const credited = issuedLines(books, contract).filter(({ kind }) => kind === 'gap_credit');
  const gaps = contract.client.places.flatMap((place) =>
    [...books.coverage.of(place, moment.now, moment.hasArrived)].flatMap(([day, { uncovered }]) => {
      const term = termOn(contract.client, place, day);
      if (term?.contract !== contract || uncovered === 0) return [];
      if (day < first || day > Math.min(last, today - 1)) return [];
      if (term.basis === 'worked' && contract.gap !== 'penalty') return [];
      if (
        credited.some(
          (one) => one.term === term && one.post === place.post && one.days.includes(day),
        )
      )
        return [];
      const price = gapPrice(draft, term, day);
      return price ? [{ place, day, uncovered, term, price, tax: taxOn(contract, day) }] : [];
    }),
  );
  return grouped(gaps, ({ place, term, price, tax }) => [term.id, place.post, price, tax]).flatMap(
    (group) => {
      const [one] = group;
      if (!one) return [];
      const minutes = group.reduce((sum, { uncovered }) => sum + uncovered, 0);
      const [value, by] = one.price;
      const cents = -divided(BigInt(minutes) * value, by * 60n * 100n);
      if (cents === 0n) return [];
      return [
        line({
          term: one.term,
          post: one.place.post,
          kind: 'gap_credit',
          quantity: -quantityOf(minutes),
          cents,
          taxRate: one.tax,
          days: group.map(({ day }) => day),
        }),
      ];
    },
  );
}
