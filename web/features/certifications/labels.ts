import { differenceInCalendarDays, parseISO } from 'date-fns';
import type { BadgeTone } from '#web/components/ui/badge.tsx';
import { today } from '#web/lib/format/dates.ts';
import type { Validity } from './schema.ts';

export const VALIDITY_LABELS: Record<Validity, string> = {
  valid: 'Valid',
  expiring: 'Expiring',
  expired: 'Expired',
};

export const VALIDITY_TONES: Record<Validity, BadgeTone> = {
  valid: 'green',
  expiring: 'orange',
  expired: 'red',
};

/** @param day yyyy-MM-dd @returns for example "in 12 days", "today" or "3 days ago" */
export function distanceOf(day: string): string {
  const days = differenceInCalendarDays(parseISO(day), parseISO(today()));
  if (days === 0) return 'today';
  const count = Math.abs(days) === 1 ? '1 day' : `${Math.abs(days)} days`;
  return days > 0 ? `in ${count}` : `${count} ago`;
}
