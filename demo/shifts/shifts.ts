// Shifts of every post: the weeks behind us, this one, and the six weeks ahead for which the server makes shifts.
import type { ClientBase } from 'pg';
import { DAY_MINUTES, parseMinute } from '../../shared/demand/cycle.ts';
import { type Calendar, minutes } from '../calendar.ts';
import type { Post, Site } from '../clients/site.ts';
import { asRows } from '../insert-rows.ts';
import { idOf, Random } from '../random.ts';
import shiftsData from './shifts.json' with { type: 'json' };

const { notes: SHIFT_NOTES } = shiftsData;

const WEEKS_BEHIND = 21;
/** As private.demand_horizon_days in the database. */
const LAST_DAY = 42;

export interface Shift {
  id: string;
  site: Site;
  post: Post;
  requirement: string;
  slot: number;
  /** Index among the post's lines. */
  turn: number;
  /** Calendar day on which it starts. */
  day: number;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
  /** When its week begins, on Monday at midnight. */
  week: number;
  isNight: boolean;
  headcount: number;
  notes: string | null;
  /** When it was planned, in milliseconds since 1970. */
  planned: number;
}

/** Minutes after midnight at which a shift that is under way is a night: 2 AM of the next day. */
const NIGHT_AT = DAY_MINUTES + 120;

/** @returns shifts in order of their start */
export function makeShifts(sites: readonly Site[], calendar: Calendar): Shift[] {
  const random = new Random('shifts');
  const shifts: Shift[] = [];
  const posts = sites.flatMap((site) => site.posts);
  let number = 0;
  for (let day = calendar.monday(-WEEKS_BEHIND); day <= LAST_DAY; day += 1) {
    // Planned in the middle of the previous week.
    const planned = Date.parse(calendar.past(calendar.at(day - calendar.weekday(day) - 3, 10)));
    const week = calendar.at(day - ((calendar.weekday(day) + 6) % 7), 0);
    for (const post of posts) {
      const requirement = post.requirements.find(({ from, to }) => from <= day && day <= to);
      if (requirement === undefined) continue;
      const { cycle_days, slots } = requirement.cycle;
      const dayOfCycle = (day - requirement.from) % cycle_days;
      for (const slot of slots) {
        if (slot.day !== dayOfCycle) continue;
        const from = parseMinute(slot.start);
        const start = calendar.at(day, Math.floor(from / 60), from % 60);
        shifts.push({
          id: idOf('shift', number++),
          site: post.site,
          post,
          requirement: requirement.id,
          slot: slot.slot,
          turn: post.lines.indexOf(slot.start),
          day,
          start,
          end: start + minutes(slot.minutes),
          week,
          isNight: from + slot.minutes > NIGHT_AT,
          headcount: slot.headcount,
          notes: random.chance(0.04) ? random.pick(SHIFT_NOTES) : null,
          planned,
        });
      }
    }
  }
  return shifts.sort((a, b) => a.start - b.start);
}

export async function insertShifts(client: ClientBase, shifts: readonly Shift[]): Promise<void> {
  // Seconds since 1970, which PostgreSQL parses several times faster than timestamps.
  const { from, values } = asRows(
    {
      id: 'uuid',
      post_id: 'uuid',
      requirement_id: 'uuid',
      slot: 'int',
      starts: 'int8',
      ends: 'int8',
      headcount: 'int',
      notes: 'text',
      planned: 'int8',
    },
    shifts.map((shift) => ({
      id: shift.id,
      post_id: shift.post.id,
      requirement_id: shift.requirement,
      slot: shift.slot,
      starts: shift.start / 1_000,
      ends: shift.end / 1_000,
      headcount: shift.headcount,
      notes: shift.notes,
      planned: Math.floor(shift.planned / 1_000),
    })),
  );
  await client.query(
    `insert into public.shifts
       (id, site_id, post_id, requirement_id, slot, is_manual, start_time, end_time, required_headcount, notes,
        created_at, updated_at)
     select r.id, p.site_id, r.post_id, r.requirement_id, r.slot, false, to_timestamp(r.starts), to_timestamp(r.ends),
       r.headcount, r.notes, to_timestamp(r.planned), to_timestamp(r.planned)
     from ${from} join public.posts p on p.id = r.post_id`,
    values,
  );
}
