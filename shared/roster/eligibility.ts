import type { RuleProblem } from './duty-rules.ts';
import type { RosterIndex } from './effective.ts';
import type { RosterPerson, RosterShift } from './input.ts';

/** Missing qualifications, whatever else the person works. Shifts without a post ask only about bans and distance. */
export function eligibilityProblems(
  index: RosterIndex,
  person: RosterPerson,
  shift: RosterShift,
): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const add = (rule: string, message: string, can_override = true) =>
    problems.push({ rule, message, can_override });
  if (person.banned.includes(shift.site_id)) add('ban', 'Banned from this site', false);
  const tooFar = index.tooFar(person, shift.site_id);
  if (tooFar !== null) add('distance', tooFar);
  const post = shift.post_id === null ? undefined : index.posts.get(shift.post_id);
  if (post === undefined) return problems;

  if (post.gender !== null && person.gender !== post.gender)
    add('gender', `The post is for ${post.gender} guards`, false);
  const [first, last] = index.days.get(shift.id) ?? ['', ''];
  if (person.leave.some(([from, to]) => from <= last && first <= to))
    add('leave', 'On approved leave');
  const missing = post.courses
    .filter((course) => (person.certificates[course] ?? Number.NEGATIVE_INFINITY) < shift.end)
    .map((course) => index.courses.get(course) ?? course);
  if (missing.length > 0) add('certificate', `No valid certificate: ${missing.sort().join(', ')}`);
  if (post.needs_induction && !person.inducted.includes(shift.site_id))
    add('induction', 'Not inducted at this site');
  return problems;
}
