import {
  addDays,
  addMonths,
  endOfMonth,
  format,
  parseISO,
  startOfMonth,
  startOfWeek,
} from 'date-fns';

export const PERIODS = ['week', 'last-week', 'month', 'last-month'] as const;
export type Period = (typeof PERIODS)[number];

export const PERIOD_LABELS: Record<Period, string> = {
  week: 'This week',
  'last-week': 'Last week',
  month: 'This month',
  'last-month': 'Last month',
};

const text = (day: Date) => format(day, 'yyyy-MM-dd');

/**
 * @param today yyyy-MM-dd
 * @returns first and last day; weeks begin on Monday, and a running period ends today
 */
export function daysOf(period: Period, today: string): { from: string; to: string } {
  const now = parseISO(today);
  const monday = startOfWeek(now, { weekStartsOn: 1 });
  switch (period) {
    case 'week':
      return { from: text(monday), to: today };
    case 'last-week':
      return { from: text(addDays(monday, -7)), to: text(addDays(monday, -1)) };
    case 'month':
      return { from: text(startOfMonth(now)), to: today };
    case 'last-month': {
      const before = addMonths(now, -1);
      return { from: text(startOfMonth(before)), to: text(endOfMonth(before)) };
    }
  }
}

/** @returns percent of the required minutes, for example "99.2 %"; rounded down, so that 100 % means all */
export function shareCovered(required: number, uncovered: number): string {
  if (required === 0) return '-';
  const tenths = Math.floor(((required - uncovered) * 1000) / required);
  return `${(tenths / 10).toFixed(1)} %`;
}
