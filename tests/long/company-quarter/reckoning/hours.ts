// What was worked: each guard's time minute by minute, counted by presence, day and kind of hour, and who has approved it.
import { dateOf, dayAt, dayOf, weekOf } from '../../company-month/calendar.ts';
import type { Presence } from '../../company-month/facts.ts';
import { type Minute, minutesOfWork } from '../../company-month/reckoning/time.ts';
import type { Guard, Kind, PlacedDuty } from '../facts.ts';
import type { Hours } from './lines.ts';
import { billedOn } from './terms.ts';

function kindOf({ of, isRestDay }: Minute<PlacedDuty>): Kind | undefined {
  if (of === 'unpaid' || of === 'leave_paid' || of === 'leave_unpaid') return undefined;
  if (of === 'holiday' || of === 'holiday_beyond') return 'holiday';
  return isRestDay ? 'rest_day' : of;
}

export interface Worked {
  hours: Hours[];
  /** The paid minutes of each duty. */
  present: Map<PlacedDuty, number[]>;
}

/** What the guards have worked. */
export function workOf(guards: Guard[]): Worked {
  const hours: Hours[] = [];
  const present = new Map<PlacedDuty, number[]>();
  for (const guard of guards) {
    let own: Hours[] = [];
    let minutes: number[] = [];
    let last: Presence | undefined;
    for (const minute of minutesOfWork(guard.duties)) {
      const kind = kindOf(minute);
      if (kind === undefined) continue;
      const { at, duty, presence } = minute;
      if (presence !== last) {
        own = [];
        minutes = present.get(duty) ?? [];
        present.set(duty, minutes);
      }
      last = presence;
      minutes.push(at);
      const on = dayAt(at);
      const known = own.find((one) => one.on === on && one.kind === kind);
      if (known) {
        known.minutes += 1;
        known.at.push(at);
      } else {
        const { place } = duty;
        const day = billedOn(place, on, dayAt(duty.from));
        const one = { guard, duty, presence, place, on, day, kind, minutes: 1, at: [at] };
        own.push(one);
        hours.push(one);
      }
    }
  }
  return { hours, present };
}

/** Weeks begin on Monday; two of them from January 5, 2026, and every other week before and after. */
const FORTNIGHT = weekOf(dayOf('2026-01-05')) % 2;

/** The last day of the timesheet of this day. */
export function sheetEnd({ frequency }: Guard, day: number): number {
  const week = weekOf(day);
  if (frequency === 'weekly') return week * 7 + 6;
  if (frequency === 'bi-weekly') return (week + (week % 2 === FORTNIGHT ? 1 : 0)) * 7 + 6;
  return monthEnd(day);
}

export const monthStart = (day: number): number => dayOf(`${dateOf(day).slice(0, 7)}-01`);
export const monthEnd = (day: number): number => {
  const next = monthStart(day) + 31;
  return monthStart(next) - 1;
};
export const monthDays = (day: number): number => monthEnd(day) - monthStart(day) + 1;
