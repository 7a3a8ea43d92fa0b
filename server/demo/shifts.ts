// Shifts of every site: the last twelve weeks, today, and the next two weeks.
import type { ClientBase } from 'pg';
import type { Site } from './business.ts';
import { type Calendar, HOUR, iso } from './calendar.ts';
import { SHIFT_NOTES } from './data.ts';
import { insertRows } from './insert-rows.ts';
import { idOf, Random } from './random.ts';

export const FIRST_DAY = -84;
const LAST_DAY = 13;

export interface Shift {
  id: string;
  site: Site;
  /** Index of the site's turn. */
  turn: number;
  /** Calendar day on which it starts. */
  day: number;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
  headcount: number;
  notes: string | null;
  /** When it was planned. */
  planned: string;
}

/** Start of a site's turns, in hours. A quarter of the sites changes shifts an hour later. */
function startHours(site: Site, index: number): readonly number[] {
  if (site.turns.length === 3) return [6, 14, 22];
  return index % 4 === 1 ? [7, 19] : [6, 18];
}

/** @returns shifts in order of their start */
export function makeShifts(sites: readonly Site[], calendar: Calendar): Shift[] {
  const random = new Random('shifts');
  const shifts: Shift[] = [];
  let number = 0;
  for (let day = FIRST_DAY; day <= LAST_DAY; day += 1) {
    // Planned in the middle of the previous week.
    const planned = calendar.past(calendar.at(day - calendar.weekday(day) - 3, 10));
    sites.forEach((site, index) => {
      const hours = startHours(site, index);
      const length = 24 / hours.length;
      hours.forEach((hour, turn) => {
        const start = calendar.at(day, hour);
        shifts.push({
          id: idOf('shift', number++),
          site,
          turn,
          day,
          start,
          end: start + length * HOUR,
          headcount: site.turns[turn] ?? 1,
          notes: random.chance(0.04) ? random.pick(SHIFT_NOTES) : null,
          planned,
        });
      });
    });
  }
  return shifts.sort((a, b) => a.start - b.start);
}

export async function insertShifts(client: ClientBase, shifts: readonly Shift[]): Promise<void> {
  const rows = shifts.map((shift) => ({
    id: shift.id,
    site_id: shift.site.id,
    start_time: iso(shift.start),
    end_time: iso(shift.end),
    required_headcount: shift.headcount,
    notes: shift.notes,
    created_at: shift.planned,
    updated_at: shift.planned,
  }));
  await insertRows(client, 'shifts', rows);
}
