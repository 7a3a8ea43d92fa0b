import { formatCount } from '#shared/count.ts';
import type { ASSIGNMENTS_STATUS } from '#shared/database.values.ts';
import type { STAFFINGS } from '#web/lib/vocabulary/statuses.ts';

type AssignmentStatus = (typeof ASSIGNMENTS_STATUS)[number];
type Staffing = (typeof STAFFINGS)[number];

type Assignment = { status: AssignmentStatus; on_leave: boolean };

/** @returns why an assigned guard does not count towards the headcount; undefined if they do */
export function describeAbsence({ status, on_leave }: Assignment): string | undefined {
  if (status === 'no_show') return 'No-show';
  return on_leave && status !== 'cancelled' ? 'On approved leave' : undefined;
}

/** Assigned guards who don't count towards the headcount; cancelled assignments are not included. */
type Absences = { on_leave: number; no_shows: number };

type Headcount = { assigned: number; required_headcount: number };

/** Same rule as the column `staffing` of the view shift_board, which the list is filtered by. */
export function judgeStaffing({ assigned, required_headcount }: Headcount): Staffing {
  if (assigned >= required_headcount) return 'full';
  return assigned > 0 ? 'partial' : 'none';
}

/** @returns for example "2 more needed", "1 more than required"; undefined when the headcount is met exactly */
export function describeGap({ assigned, required_headcount }: Headcount): string | undefined {
  const gap = required_headcount - assigned;
  if (gap > 0) return `${gap} more needed`;
  return gap < 0 ? `${-gap} more than required` : undefined;
}

/** @returns for example "1 on approved leave, 2 no-shows"; undefined when every guard counts */
export function describeAbsences({ on_leave, no_shows }: Absences): string | undefined {
  const parts = [
    on_leave > 0 && `${on_leave} on approved leave`,
    no_shows > 0 && (no_shows === 1 ? '1 no-show' : `${no_shows} no-shows`),
  ];
  return parts.filter(Boolean).join(', ') || undefined;
}

const NAMED = 2;
const namesOf = (names: string[]): string =>
  names.length <= NAMED
    ? names.join(', ')
    : `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`;

/** @returns for example "planned: Trokon Goll, draft"; undefined when the draft changes nothing */
export function describeDraft(
  guards: { planned: string[]; removed: string[] } | undefined,
): string | undefined {
  if (!guards) return undefined;
  const { planned, removed } = guards;
  const parts = [
    planned.length > 0 && `planned: ${namesOf(planned)}`,
    removed.length > 0 && `no longer: ${namesOf(removed)}`,
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join('; ')}, draft` : undefined;
}

export const shiftCount = (count: number) =>
  count === 1 ? '1 shift' : `${formatCount(count)} shifts`;
