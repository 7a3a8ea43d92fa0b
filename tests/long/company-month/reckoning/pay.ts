// What a guard earned in the period of a run: lines from classified minutes. Written from docs/decisions/0041.

import { divided, least, shown } from '#tests/support/cents.ts';
import { isSunday, type Period, weekOf } from '../calendar.ts';
import type { Guard, PayBasis, PayItem } from '../facts.ts';
import { type Class, type Time, WORK } from './time.ts';

const PAYMENTS_A_YEAR = { monthly: 12n, 'bi-weekly': 26n, weekly: 52n } as const;
const WEEK_MINUTES = 48 * 60;
/** Multiples of an hour's value in ten-thousandths. */
const ONCE = 10_000n;
const OVERTIME = 15_000n;
const HOLIDAY = 20_000n;

export interface Line {
  kind: string;
  cents: bigint;
  taxable: boolean;
}

/** Days in a row of one basis, within the employment. */
interface Piece {
  basis: PayBasis;
  days: number[];
  /** And the day after the last one of the employment, whose hours are the end of a shift that began before midnight. */
  hours: number[];
}

/** Minutes of these classes on these days. */
const minutesOf = (time: Time, days: number[], ...classes: readonly Class[]): number =>
  days.reduce(
    (sum, day) =>
      classes.reduce((inDay, name) => inDay + (time.days.get(day)?.get(name) ?? 0), sum),
    0,
  );

function basisOn(guard: Guard, day: number): PayBasis {
  return guard.bases.findLast(({ from }) => from <= day) ?? guard.bases[0];
}

export function piecesOf(guard: Guard, run: Period): Piece[] {
  const pieces: Piece[] = [];
  for (let day = run.first; day <= run.last; day += 1) {
    if (guard.frequency !== run.group || day < guard.hired || day > (guard.left ?? day)) continue;
    const basis = basisOn(guard, day);
    if (basis.currency !== run.currency) continue;
    const current = pieces.at(-1);
    if (current?.basis === basis) current.days.push(day);
    else pieces.push({ basis, days: [day], hours: [] });
  }
  for (const piece of pieces) piece.hours = piece.days;
  const { left } = guard;
  if (left === undefined || guard.frequency !== run.group || left + 1 > run.last) return pieces;
  const basis = basisOn(guard, left);
  const last = pieces.find(({ days }) => days.includes(left));
  if (last) last.hours = [...last.days, left + 1];
  else if (left + 1 === run.first && basis.currency === run.currency) {
    pieces.push({ basis, days: [], hours: [run.first] });
  }
  return pieces;
}

const lengthOf = ({ first, last }: Period): number => last - first + 1;

/** The share of an amount for these days of the period. */
const share = (amount: bigint, days: number, run: Period): bigint =>
  divided(amount * BigInt(days), BigInt(lengthOf(run)));

/** Millionths of a unit of money: of an hour, by a year of pay over 52 weeks of 48 hours. */
function hourValue({ basis, amount }: PayBasis, group: Period['group']): bigint {
  if (basis === 'hourly') return amount * 10_000n;
  return divided(amount * 10_000n * PAYMENTS_A_YEAR[group] * 60n, 52n * BigInt(WEEK_MINUTES));
}

/** Cents of minutes at a multiple of an hourly value. */
function worth(minutes: number, hour: bigint, multiple: bigint): bigint {
  return divided(BigInt(minutes) * divided(hour * multiple, ONCE), 600_000n);
}

const sumOn = (sums: Map<number, number>, days: number[]): number =>
  days.reduce((sum, day) => sum + (sums.get(day) ?? 0), 0);

/** Unpaid leave and missing minutes of a salary, week by week, while the week has less than 48 paid hours. */
function unpaidMinutes(piece: Piece, time: Time) {
  const unpaid = { leave: 0, missing: 0 };
  for (const week of new Set(piece.days.map(weekOf))) {
    const days = piece.days.filter((day) => weekOf(day) === week);
    const leave = minutesOf(time, days, 'leave_unpaid');
    const missing = sumOn(time.missing, days);
    const paid =
      sumOn(time.grace, days) + minutesOf(time, days, 'leave_paid', 'regular', 'night', 'holiday');
    // Eight hours for each day from Monday to Saturday.
    const covered = days.filter((day) => !isSunday(day)).length * 8 * 60;
    const short = Math.min(leave + missing, Math.max(0, covered - paid));
    unpaid.leave += Math.min(leave, short);
    unpaid.missing += short - Math.min(leave, short);
  }
  return unpaid;
}

function salaryLines(piece: Piece, run: Period, time: Time): [string, bigint][] {
  const { basis, days, hours } = piece;
  const hour = hourValue(basis, run.group);
  const salary = share(basis.amount, days.length, run);
  const unpaid = unpaidMinutes(piece, time);
  const leave = least(salary, worth(unpaid.leave, hour, ONCE));
  return [
    ['salary', salary],
    ['overtime_1', worth(minutesOf(time, hours, 'overtime'), hour, OVERTIME)],
    ['holiday', worth(minutesOf(time, hours, 'holiday'), hour, HOLIDAY - ONCE)],
    ['holiday', worth(minutesOf(time, hours, 'holiday_beyond'), hour, HOLIDAY)],
    ['leave_unpaid', -leave],
    ['absence', -least(salary - leave, worth(unpaid.missing, hour, ONCE))],
  ];
}

function hourlyLines({ basis, days, hours }: Piece, run: Period, time: Time): [string, bigint][] {
  const hour = hourValue(basis, run.group);
  return [
    ['regular', worth(minutesOf(time, hours, 'regular'), hour, ONCE)],
    ['night', worth(minutesOf(time, hours, 'night'), hour, ONCE)],
    ['overtime_1', worth(minutesOf(time, hours, 'overtime'), hour, OVERTIME)],
    ['holiday', worth(minutesOf(time, hours, 'holiday', 'holiday_beyond'), hour, HOLIDAY)],
    ['leave_paid', worth(minutesOf(time, days, 'leave_paid'), hour, ONCE)],
    ['regular', worth(sumOn(time.grace, days), hour, ONCE)],
  ];
}

function shiftLines({ basis, days, hours }: Piece, _: Period, time: Time): [string, bigint][] {
  const shifts = BigInt(time.begun.filter((day) => days.includes(day)).length);
  const leaveDays = days.filter((day) => minutesOf(time, [day], 'leave_paid') > 0).length;
  const work = BigInt(minutesOf(time, hours, ...WORK));
  // What an hour of these days earned.
  const hour = work === 0n ? 0n : divided(basis.amount * shifts * 60n * 10_000n, work);
  return [
    ['regular', basis.amount * shifts],
    ['overtime_1', worth(minutesOf(time, hours, 'overtime'), hour, OVERTIME - ONCE)],
    ['holiday', worth(minutesOf(time, hours, 'holiday', 'holiday_beyond'), hour, HOLIDAY - ONCE)],
    ['leave_paid', basis.amount * BigInt(leaveDays)],
  ];
}

const LINES = { salary: salaryLines, hourly: hourlyLines, shift: shiftLines };

/** What an allowance or a standing deduction comes to in a run. */
export function itemAmount(item: PayItem, guard: Guard, run: Period, time: Time): bigint {
  const paid = piecesOf(guard, run).flatMap(({ days }) => days);
  const days = new Set(paid.filter((day) => day >= item.from && day <= (item.to ?? day)));
  if (item.currency !== run.currency || days.size === 0) return 0n;
  if (item.per === 'period') return share(item.amount, days.size, run);
  const count =
    item.per === 'day'
      ? [...days].filter((day) => minutesOf(time, [day], ...WORK) > 0).length
      : time.begun.filter((day) => days.has(day)).length;
  return item.amount * BigInt(count);
}

/** Everything that was earned before tax, without corrections of earlier periods. */
export function earnings(guard: Guard, run: Period, time: Time): Line[] {
  const lines: Line[] = [];
  for (const piece of piecesOf(guard, run)) {
    const found = LINES[piece.basis.basis](piece, run, time);
    lines.push(...found.map(([kind, cents]) => ({ kind, cents, taxable: true })));
  }
  for (const item of guard.items) {
    if (item.kind !== 'allowance') continue;
    const cents = itemAmount(item, guard, run, time);
    lines.push({ kind: 'allowance', cents, taxable: item.taxable });
  }
  return lines.filter(({ cents }) => cents !== 0n);
}

export const total = (lines: Line[]): bigint => lines.reduce((sum, { cents }) => sum + cents, 0n);

/** `kind amount`, sorted. */
export const told = (lines: Line[]): string[] =>
  lines.map(({ kind, cents }) => `${kind} ${shown(cents)}`).sort();
