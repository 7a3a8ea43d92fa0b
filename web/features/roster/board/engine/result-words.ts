// What a filled roster is like, in a planner's words.
import { formatCount } from '#shared/count.ts';
import { metresFromHome } from '#shared/roster/distance-rule.ts';
import { rosterIndex } from '#shared/roster/effective.ts';
import type { RosterInput } from '#shared/roster/input.ts';
import type { RosterResult } from '#shared/roster/roster-result.ts';
import { NOBODY_NEAR } from '#shared/roster/unfilled-reason.ts';
import { isKnown } from '#shared/roster/wishes.ts';

/** Above the bound, as a share: what planners don't notice. */
const HARDLY_BETTER = 0.05;
const SITES_NAMED = 3;

/** While the engine runs; empty while it is not known how good the roster can get. */
export function describeProgress({ gap }: RosterResult): string {
  if (gap === null) return '';
  return gap <= HARDLY_BETTER ? 'hardly anything left to improve' : 'still improving';
}

/** Who was assigned: '580 of 620 go to a site that they know, and nobody travels more than 31 km.' */
export function describeQuality({ assign, gap }: RosterResult, input: RosterInput): string {
  if (assign.length === 0) return '';
  const index = rosterIndex(input);
  let known = 0;
  let farthest = 0;
  for (const { shift_id, user_id } of assign) {
    const person = index.people.get(user_id);
    const shift = index.shifts.get(shift_id);
    if (person === undefined || shift === undefined) continue;
    if (isKnown(person, shift.site_id)) known++;
    const site = index.sites.get(shift.site_id);
    farthest = Math.max(farthest, metresFromHome(person, site) ?? 0);
  }
  const who =
    known === assign.length
      ? 'Everybody knows their site'
      : `${formatCount(known)} of ${formatCount(assign.length)} go to a site that they know`;
  const travel =
    farthest > 0 ? `, and nobody travels more than ${Math.ceil(farthest / 1000)} km` : '';
  const better = gap !== null && gap <= HARDLY_BETTER ? ' It can hardly get better.' : '';
  return `${who}${travel}.${better}`;
}

/** @returns undefined if no seat is open */
export function describeGaps({ unfilled }: RosterResult, input: RosterInput): string | undefined {
  if (unfilled.length === 0) return undefined;
  const { shifts, sites } = rosterIndex(input);
  const open = unfilled.reduce((sum, { seats }) => sum + seats, 0);
  const far = new Set(
    unfilled
      .filter(({ reason }) => reason.startsWith(NOBODY_NEAR))
      .map(({ shift_id }) => sites.get(shifts.get(shift_id)?.site_id ?? '')?.name ?? 'a site'),
  );
  const left = `${formatCount(open)} left open.`;
  if (far.size === 0) return left;
  const named = [...far].slice(0, SITES_NAMED).join(', ');
  const more = far.size > SITES_NAMED ? ` and ${far.size - SITES_NAMED} more` : '';
  return `${left} ${NOBODY_NEAR} to ${named}${more}.`;
}
