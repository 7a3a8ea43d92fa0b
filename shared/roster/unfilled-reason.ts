import { metresFromHome } from './distance-rule.ts';
import { dutyProblems } from './duty-rules.ts';
import { type Effective, type RosterIndex, rosterIndex } from './effective.ts';
import { eligibilityProblems } from './eligibility.ts';
import type { RosterInput, RosterPerson, RosterRules, RosterShift } from './input.ts';
import { otherDuties } from './problems.ts';

type Site = RosterInput['sites'][number];

/** One phrase: 'guard with First aid'. */
function wanted(index: RosterIndex, shift: RosterShift): string {
  const post = shift.post_id === null ? undefined : index.posts.get(shift.post_id);
  const gender = post?.gender == null ? '' : `${post.gender} `;
  const courses = (post?.courses ?? []).map((id) => index.courses.get(id) ?? id);
  return `${gender}guard${courses.length > 0 ? ` with ${courses.join(' and ')}` : ''}`;
}

/** Rules that say what a guard lacks altogether: such guards are not counted among those who could be free. */
const LACKING = new Set(['certificate', 'gender', 'inactive']);

const phrasesOf = (rules: RosterRules): Record<string, string> => ({
  leave: 'on leave',
  overlap: 'on another shift',
  rest: `would have under ${rules.min_rest_hours} h rest`,
  week_hours: `would work over ${rules.week_hours + rules.week_overtime_hours} h in the week`,
  weekly_rest: `would have under ${rules.weekly_rest_hours} h weekly rest`,
  consecutive_days: `would work over ${rules.consecutive_days} days in a row`,
  consecutive_nights: `would work over ${rules.consecutive_nights} nights in a row`,
  ban: 'banned from the site',
  induction: 'not inducted',
  distance: 'live too far away',
});

export const NOBODY_NEAR = 'Nobody lives near enough';

/** @param people who live too far from the site and could come otherwise */
function tooFarReason(site: Site | undefined, people: readonly RosterPerson[]): string {
  const distances = people.map((person) => metresFromHome(person, site));
  const nearest = Math.min(...distances.map((metres) => metres ?? Number.POSITIVE_INFINITY));
  const who = Number.isFinite(nearest)
    ? `the nearest guard is ${Math.ceil(nearest / 1000)} km away`
    : 'no guard has a home in the region';
  return `${NOBODY_NEAR}: ${who}`;
}

/** Why nobody has the seat: how many guards each rule keeps from it, the commonest first. */
export function unfilledReason(
  input: RosterInput,
  effective: Effective,
  shift: RosterShift,
): string {
  const index = rosterIndex(input);
  const who = wanted(index, shift);
  if (shift.end - shift.start > input.rules.shift_hours * 60)
    return `The shift is longer than ${input.rules.shift_hours} h`;
  const counts = new Map<string, number>();
  const tooFar: RosterPerson[] = [];
  let free = 0;
  for (const person of input.people) {
    if (effective.peopleOn(shift.id).has(person.id)) continue;
    const lacking = eligibilityProblems(index, person, shift);
    if (lacking.some(({ rule }) => LACKING.has(rule))) continue;
    const others = otherDuties(index, effective, person, shift.id);
    const [problem] =
      lacking.length > 0
        ? lacking
        : dutyProblems(input.rules, index.calendar, input.zone, shift, others);
    if (problem?.rule === 'distance') tooFar.push(person);
    if (problem === undefined) free++;
    else counts.set(problem.rule, (counts.get(problem.rule) ?? 0) + 1);
  }
  if (free > 0) return free === 1 ? `One ${who} is free` : `${free} guards are free`;
  if (counts.size === 1 && tooFar.length > 0)
    return tooFarReason(index.sites.get(shift.site_id), tooFar);
  if (counts.size === 0) return `There is no ${who}`;
  const phrases = phrasesOf(input.rules);
  const list = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([rule, count]) => `${count} ${phrases[rule] ?? rule}`);
  return `No ${who} is free: ${list.join(', ')}`;
}
