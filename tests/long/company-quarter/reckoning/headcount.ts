// Which minutes are above the headcount of a post, minute by minute: docs/decisions/0045.
import type { Place } from '../facts.ts';
import { type Draft, hoursIn } from './draft.ts';
import type { Hours } from './lines.ts';

const isBilled = ({ state }: Hours): boolean => typeof state === 'object';

/** @returns the minutes of these hours that are above the headcount */
function aboveHeadcount(draft: Draft, place: Place, open: Hours[], billed: Hours[]) {
  const came = new Map<unknown, number>();
  for (const { duty, at } of open)
    for (const minute of at) came.set(duty, Math.min(came.get(duty) ?? minute, minute));
  const present = new Map<number, Hours[]>();
  for (const hours of [...billed, ...open])
    for (const minute of hours.at) {
      const there = present.get(minute) ?? [];
      present.set(minute, there);
      there.push(hours);
    }
  const above = new Map<Hours, Set<number>>();
  for (const [minute, there] of present) {
    if (there.length < 2) continue;
    const required = draft.books.coverage.headcountAt(place, minute);
    const ofShifts = Math.max(
      1,
      ...there.map(({ duty }) => draft.books.coverage.headcountOf(duty)),
    );
    const rank = (hours: Hours): number => {
      if (isBilled(hours)) return 0;
      return hours.duty.from <= minute && minute < hours.duty.to ? 1 : 2;
    };
    const ordered = [...there].sort(
      (a, b) =>
        rank(a) - rank(b) ||
        (came.get(a.duty) ?? 0) - (came.get(b.duty) ?? 0) ||
        a.guard.id.localeCompare(b.guard.id),
    );
    for (const hours of ordered.slice(required > 0 ? required : ofShifts)) {
      if (isBilled(hours)) continue;
      const minutes = above.get(hours) ?? new Set<number>();
      above.set(hours, minutes.add(minute));
    }
  }
  return above;
}

/** Takes these minutes out of the hours. @returns them, as hours of their own */
function splitOff(hours: Hours, minutes: Set<number>): Hours {
  const { state: _, ...rest } = hours;
  const taken = hours.at.filter((at) => minutes.has(at));
  hours.at = hours.at.filter((at) => !minutes.has(at));
  hours.minutes = hours.at.length;
  return { ...rest, at: taken, minutes: taken.length };
}

/** Decides again what of the draft's hours is above the headcount. @returns what is, and not approved yet */
export function decideSurplus(draft: Draft): Set<Hours> {
  const { books, contract, moment } = draft;
  const all = books.hours.get(contract.client) ?? [];
  for (const { hours } of hoursIn(draft)) if (hours.state === 'surplus') delete hours.state;
  const waiting = new Set<Hours>();
  const open = hoursIn(draft).flatMap(({ hours, term }) =>
    hours.state === undefined && term.basis !== 'fixed' ? [hours] : [],
  );
  for (const place of contract.client.places) {
    const here = open.filter((hours) => hours.place === place);
    const billed = all.filter((hours) => hours.place === place && isBilled(hours));
    for (const [hours, minutes] of aboveHeadcount(draft, place, here, billed)) {
      const isWhole = minutes.size === hours.at.length;
      const surplus = isWhole ? hours : splitOff(hours, minutes);
      if (!isWhole) all.push(surplus);
      if (moment.isApproved(surplus)) surplus.state = 'surplus';
      else waiting.add(surplus);
    }
  }
  return waiting;
}
