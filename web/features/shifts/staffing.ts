// How well a shift is staffed, derived from its assignments (specification, section 4).
import type { BadgeTone } from '#web/components/ui/badge.tsx';

export const STAFFINGS = ['none', 'partial', 'full'] as const;
type Staffing = (typeof STAFFINGS)[number];

export const STAFFING_LABELS: Record<Staffing, string> = {
  none: 'Unstaffed',
  partial: 'Partially Staffed',
  full: 'Fully Staffed',
};

export const STAFFING_TONES: Record<Staffing, BadgeTone> = {
  none: 'red',
  partial: 'orange',
  full: 'green',
};

type Headcount = { assigned: number; required_headcount: number };

/** @returns the same as the database's view, which the lists are filtered by */
export function staffingOf({ assigned, required_headcount }: Headcount): Staffing {
  if (assigned >= required_headcount) return 'full';
  return assigned > 0 ? 'partial' : 'none';
}

/** @returns for example "2 more needed", "1 more than required"; undefined where it is just right */
export function gapOf({ assigned, required_headcount }: Headcount): string | undefined {
  const gap = required_headcount - assigned;
  if (gap > 0) return `${gap} more needed`;
  return gap < 0 ? `${-gap} more than required` : undefined;
}
