import { at } from './arrays.ts';
import { dayName, dayNumber } from './calendar.ts';
import type { Duties } from './duties.ts';
import type { RosterInput } from './input.ts';
import { FAIR_HOURS, FAIR_NIGHTS, FAIR_SUNDAYS, OVERTIME_HOURS } from './wishes.ts';

const DAYS_OF_PAST = 28;
const MINUTES_OF_HOUR = 60;
/** Finer shares are treated as equal. */
const SMALLEST_UNIT = 15;

/** A cost by person and count: of `from + count` of something. */
interface CostTable {
  width: number;
  /** By `person * width + count`, convex in the count. */
  cost: Float64Array;
}

/** Costs of a person's sums in the period. Duties outside the shifts are already counted in. */
export interface PersonCosts {
  /** Minutes of a step of `hours`. */
  unit: number;
  hours: CostTable;
  nights: CostTable;
  sundays: CostTable;
  /** Minutes of a week from which on each costs `overtime`. */
  regularMinutes: number;
  overtime: number;
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Days of the period on which each person is not on leave. */
function daysPresent(input: RosterInput): number[] {
  const first = dayNumber(input.from);
  const days = Array.from({ length: dayNumber(input.to) - first + 1 }, (_, day) =>
    dayName(first + day),
  );
  return input.people.map(
    ({ leave }) =>
      days.filter((day) => !leave.some(([from, to]) => from <= day && day <= to)).length,
  );
}

/**
 * The fair share of each person: what is to be done, by days present, less what was done above average before.
 * @param done what each person did in the last 28 days
 */
function fairShares(input: RosterInput, total: number, done: number[]): number[] {
  const present = daysPresent(input);
  const allDays = Math.max(1, sumOf(present));
  const days = dayNumber(input.to) - dayNumber(input.from) + 1;
  const average = sumOf(done) / Math.max(1, done.length);
  return present.map((own, person) =>
    Math.max(0, (total * own) / allDays - (((done[person] ?? 0) - average) * days) / DAYS_OF_PAST),
  );
}

/** The square of the deviation from the fair share. */
function deviationCosts(
  fair: number[],
  base: number[],
  weight: number,
  unit: number,
  step: number,
  largest: number,
): CostTable {
  const width = Math.floor(largest / step) + 2;
  const cost = new Float64Array(fair.length * width);
  for (const [person, share] of fair.entries()) {
    for (let count = 0; count < width; count++) {
      const deviation = ((base[person] ?? 0) + count * step - share) / unit;
      cost[person * width + count] = weight * deviation ** 2;
    }
  }
  return { width, cost };
}

export function personCosts(
  input: RosterInput,
  duties: Duties,
  outside: readonly Int32Array[],
  period: { firstDay: number; lastDay: number },
): PersonCosts {
  const { rules, shifts, people } = input;
  const minutesOf = (duty: number) => at(duties.end, duty) - at(duties.start, duty);
  const isWithin = (duty: number) =>
    at(duties.day, duty) >= period.firstDay && at(duties.day, duty) <= period.lastDay;
  const outsideSum = (amount: (duty: number) => number) =>
    outside.map((list) => sumOf([...list].filter(isWithin).map(amount)));
  const demand = (amount: (duty: number) => number) =>
    sumOf(shifts.map(({ headcount }, shift) => headcount * amount(shift)));
  const table = (
    amount: (duty: number) => number,
    done: number[],
    weight: number,
    unit: number,
    step: number,
  ) => {
    const base = outsideSum(amount);
    const fair = fairShares(input, demand(amount) + sumOf(base), done);
    // Rows of people who already work more than they may by law are legal input.
    const largest = sumOf(
      shifts
        .map((_, shift) => amount(shift))
        .sort((a, b) => b - a)
        .slice(0, mostShifts),
    );
    return deviationCosts(fair, base, weight, unit, step, largest);
  };
  const days = period.lastDay - period.firstDay + 1;
  const mostShifts = 2 * days + 8;
  const unit = Math.max(
    SMALLEST_UNIT,
    shifts.map((_, shift) => minutesOf(shift)).reduce(commonDivisor, 0),
  );
  const isNight = (duty: number) => (at(duties.night, duty) >= 0 ? 1 : 0);
  const isSunday = (duty: number) => at(duties.isSunday, duty);
  return {
    unit,
    hours: table(
      minutesOf,
      people.map(({ past }) => past.hours * MINUTES_OF_HOUR),
      rules.weight_fair_hours,
      FAIR_HOURS * MINUTES_OF_HOUR,
      unit,
    ),
    nights: table(
      isNight,
      people.map(({ past }) => past.nights),
      rules.weight_fair_nights,
      FAIR_NIGHTS,
      1,
    ),
    sundays: table(
      isSunday,
      people.map(({ past }) => past.sundays),
      rules.weight_fair_sundays,
      FAIR_SUNDAYS,
      1,
    ),
    regularMinutes: rules.week_hours * MINUTES_OF_HOUR,
    overtime: rules.weight_overtime / (OVERTIME_HOURS * MINUTES_OF_HOUR),
  };
}
