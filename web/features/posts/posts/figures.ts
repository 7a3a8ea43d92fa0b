import { type GuardsNeeded, guardsNeeded } from '#shared/demand/guards-needed.ts';
import { today } from '#web/lib/format/dates.ts';
import { dayAfter, formatDayOfWeek } from '#web/lib/format/days.ts';
import { PATTERN_LABELS, type Post, requirementOn, toCycle, toPattern } from './schema.ts';

/** A number with one decimal at most. */
export const roundedFigure = (figure: number): string => String(Math.round(figure * 10) / 10);

/** Figures of a post today, or when it is first manned; `needed` is undefined if nothing is asked for. */
export function calculateFigures(post: Post): {
  pattern: string;
  needed: GuardsNeeded | undefined;
} {
  const requirement = requirementOn(post, today());
  if (requirement === undefined) return { pattern: 'Not manned', needed: undefined };
  const label = PATTERN_LABELS[toPattern(requirement.preset)];
  const drawn = `${requirement.cycle_days}-day cycle`;
  return {
    pattern: requirement.preset === null ? drawn : label,
    needed: guardsNeeded(toCycle(requirement)),
  };
}

/** @param day of the cycle, from 0 @returns for example "Day 1, Sat, Nov 21": when the cycle is first on that day */
export const dayLabel = (from: string, day: number): string =>
  `Day ${day + 1}${from === '' ? '' : `, ${formatDayOfWeek(dayAfter(from, day))}`}`;
