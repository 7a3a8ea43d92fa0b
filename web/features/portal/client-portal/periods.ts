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
export function findDays(period: Period, today: string): { from: string; to: string } {
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

export const STATEMENT_PERIODS = ['quarter', 'year', 'last-year'] as const;
export type StatementPeriod = (typeof STATEMENT_PERIODS)[number];

export const STATEMENT_LABELS: Record<StatementPeriod, string> = {
  quarter: 'Last 3 months',
  year: 'This year',
  'last-year': 'Last year',
};

/**
 * @param today yyyy-MM-dd
 * @returns first and last day; the last three months are the running one and the two before
 */
export function statementDays(
  period: StatementPeriod,
  today: string,
): { from: string; to: string } {
  const year = Number(today.slice(0, 4));
  if (period === 'last-year') return { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` };
  const first = text(addMonths(startOfMonth(parseISO(today)), -2));
  return { from: period === 'year' ? `${year}-01-01` : first, to: today };
}

/** @returns percent of the required minutes, for example "99.2 %"; rounded down, so that 100 % means all */
export function shareCovered(required: number, uncovered: number): string {
  if (required === 0) return '-';
  const tenths = Math.floor(((required - uncovered) * 1000) / required);
  return `${(tenths / 10).toFixed(1)} %`;
}
