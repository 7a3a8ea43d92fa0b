// Finds the shifts of a site on a day in the plan of a week.
import { dayOf } from '#web/lib/format/dates.ts';
import type { WeekPlan } from '../../api/list-week.ts';
import type { Shift } from '../../schema.ts';

/** @returns the shifts that start at a site on a day of the company, in order of time */
export function shiftsAt(plan: WeekPlan): (siteId: string, day: string) => Shift[] {
  const found = new Map<string, Shift[]>();
  for (const shift of plan.shifts) {
    const key = `${shift.site_id} ${dayOf(shift.start_time)}`;
    found.set(key, [...(found.get(key) ?? []), shift]);
  }
  return (siteId, day) => found.get(`${siteId} ${day}`) ?? [];
}
