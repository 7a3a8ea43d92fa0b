// Leave entitlements under Liberian law, and how much a person has used. Guidance only: nothing is refused.
// Figures: Decent Work Act as mywage.org/liberia and the press report it; not checked against the Act's own text.
import {
  addDays,
  addYears,
  differenceInCalendarDays,
  differenceInMonths,
  eachDayOfInterval,
  endOfYear,
  format,
  max,
  min,
  parseISO,
  startOfYear,
  subDays,
  subMonths,
} from 'date-fns';

/** Types that the law gives a number of days for; the others are the company's to grant. */
const ENTITLED = ['annual', 'sick', 'maternity', 'paternity'] as const;
type EntitledType = (typeof ENTITLED)[number];

/** Both days included, yyyy-MM-dd. */
export interface LeavePeriod {
  start_date: string;
  end_date: string;
}

/** As in leave_requests. */
interface LeaveRequest extends LeavePeriod {
  type: string;
  status: string;
}

export interface LeaveBalance {
  /** Calendar days; null when it depends on a missing hire date. */
  entitled: number | null;
  /** Days of approved leave within the year, each counted once. */
  used: number;
  /** Further days that are requested and not decided; `left` contains them. */
  requested: number;
  /** Below zero where more was approved than the guide gives. */
  left: number | null;
  /** Period of `used`, yyyy-MM-dd, inclusive; null without a hire date. */
  year: LeavePeriod | null;
  /** The rule, in words. */
  rule: string;
}

const WEEK = 7;
/** Months of service, and the weeks of annual leave they give. */
const ANNUAL_STEPS = [
  [60, 4],
  [36, 3],
  [24, 2],
  [12, 1],
] as const;

const RULES: Record<EntitledType, string> = {
  annual: '1, 2, 3 and 4 weeks a year after 12, 24, 36 and 60 months of service',
  sick: '10 paid days a calendar year',
  maternity: '14 weeks for a birth, at least 6 of them after it',
  paternity: '5 unpaid days in the first month after a birth',
};

const day = (date: Date): string => format(date, 'yyyy-MM-dd');

/** @returns calendar days of a period, both ends included */
export function leaveDays({ start_date, end_date }: LeavePeriod): number {
  return differenceInCalendarDays(parseISO(end_date), parseISO(start_date)) + 1;
}

/**
 * @param hiredOn yyyy-MM-dd
 * @param on yyyy-MM-dd
 * @returns calendar days of annual leave a year that the service up to that day gives: 0, 7, 14, 21 or 28
 */
export function annualLeaveDays(hiredOn: string, on: string): number {
  const months = differenceInMonths(parseISO(on), parseISO(hiredOn));
  return (ANNUAL_STEPS.find(([least]) => months >= least)?.[1] ?? 0) * WEEK;
}

/** The year of service that a day falls into, or the first one before it has begun. */
function serviceYear(hiredOn: string, on: string): LeavePeriod {
  const hired = parseISO(hiredOn);
  let years = Math.max(0, parseISO(on).getFullYear() - hired.getFullYear());
  if (years > 0 && day(addYears(hired, years)) > on) years -= 1;
  return {
    start_date: day(addYears(hired, years)),
    end_date: day(subDays(addYears(hired, years + 1), 1)),
  };
}

/** The date of birth is unknown, so half a year on both sides is counted. */
function aroundBirth(on: string): LeavePeriod {
  return { start_date: day(subMonths(parseISO(on), 6)), end_date: day(addDays(parseISO(on), 183)) };
}

function yearOf(type: EntitledType, on: string, hiredOn: string | null): LeavePeriod | null {
  if (type === 'annual') return hiredOn === null ? null : serviceYear(hiredOn, on);
  if (type !== 'sick') return aroundBirth(on);
  const date = parseISO(on);
  return { start_date: day(startOfYear(date)), end_date: day(endOfYear(date)) };
}

function entitledDays(type: EntitledType, on: string, hiredOn: string | null): number | null {
  if (type === 'annual') return hiredOn === null ? null : annualLeaveDays(hiredOn, on);
  return { sick: 10, maternity: 14 * WEEK, paternity: 5 }[type];
}

/** As private.interrupts_leave() has it: approved leave whose days take the place of annual leave. */
const interrupts = (type: string, other: string): boolean =>
  other === 'annual' && (type === 'sick' || type === 'bereavement');

function daysWithin(year: LeavePeriod, periods: readonly LeavePeriod[]): Set<string> {
  return new Set(
    periods.flatMap((period) => {
      const start = max([parseISO(period.start_date), parseISO(year.start_date)]);
      const end = min([parseISO(period.end_date), parseISO(year.end_date)]);
      return start > end ? [] : eachDayOfInterval({ start, end }).map(day);
    }),
  );
}

function countDays(type: EntitledType, year: LeavePeriod, requests: readonly LeaveRequest[]) {
  const within = (status: string, isOf: (other: string) => boolean) =>
    daysWithin(
      year,
      requests.filter((request) => request.status === status && isOf(request.type)),
    );
  const others = within('approved', (other) => interrupts(other, type));
  const approved = within('approved', (other) => other === type);
  const pending = within('pending', (other) => other === type);
  return {
    used: [...approved].filter((one) => !others.has(one)).length,
    requested: [...pending].filter((one) => !others.has(one) && !approved.has(one)).length,
  };
}

/**
 * Remaining leave of a type. A week is seven calendar days; nothing is carried over.
 * @param type as in leave_requests
 * @param on the day that decides the year, yyyy-MM-dd: the first day of a request, or today
 * @param hiredOn yyyy-MM-dd (rpc `hired_on`); null where it is not known
 * @param requests of the person, of any year, type and status
 * @returns undefined for a type that the law gives no number of days for
 */
export function leaveBalance(
  type: string,
  on: string,
  hiredOn: string | null,
  requests: readonly LeaveRequest[],
): LeaveBalance | undefined {
  const known = ENTITLED.find((one) => one === type);
  if (known === undefined) return undefined;
  const year = yearOf(known, on, hiredOn);
  const entitled = entitledDays(known, on, hiredOn);
  const { used, requested } =
    year === null ? { used: 0, requested: 0 } : countDays(known, year, requests);
  return {
    entitled,
    used,
    requested,
    left: entitled === null ? null : entitled - used,
    year,
    rule: RULES[known],
  };
}
