import { toDay } from '#web/lib/format/dates.ts';

export type DayStaffing = {
  /** At most as many as are required of each shift. */
  assigned: number;
  required: number;
  /** Whether every shift of the day is over. */
  isOver: boolean;
};
export type PostWeek = { id: string; name: string; days: ReadonlyMap<string, DayStaffing> };

type Post = { id: string; name: string };
/** Of the view `shift_board`: `assigned` are the guards who count. */
type Staffed = {
  id: string;
  start_time: string;
  end_time: string;
  assigned: number;
  required_headcount: number;
};

/**
 * @param postOf the post of each shift, by the id of the shift; without one, shifts made by hand
 * @param now milliseconds since 1970
 * @returns every post in its order, then the shifts without a post; of each, guards by the day on which shifts start
 */
export function toPostWeeks(
  posts: readonly Post[],
  shifts: readonly Staffed[],
  postOf: ReadonlyMap<string, Post>,
  now: number,
): PostWeek[] {
  const begin = ({ id, name }: Post) => ({ id, name, days: new Map<string, DayStaffing>() });
  const weeks = new Map(posts.map((post) => [post.id, begin(post)]));
  for (const { id, start_time, end_time, assigned, required_headcount } of shifts) {
    const post = postOf.get(id) ?? { id: '', name: 'Without a post' };
    const week = weeks.get(post.id) ?? begin(post);
    weeks.set(post.id, week);
    const day = toDay(start_time);
    const known = week.days.get(day) ?? { assigned: 0, required: 0, isOver: true };
    week.days.set(day, {
      // A guard too many at night leaves a seat of the day empty all the same.
      assigned: known.assigned + Math.min(assigned, required_headcount),
      required: known.required + required_headcount,
      isOver: known.isOver && Date.parse(end_time) <= now,
    });
  }
  return [...weeks.values()];
}
