// Hours, lines and invoices of our own calculation. Cents, ten-thousandths and minutes are integers.
import { divided } from '#tests/support/cents.ts';
import type { Presence } from '../../company-month/facts.ts';
import type { Contract, Guard, Kind, Place, PlacedDuty, Term } from '../facts.ts';

/** Ten-thousandths of a unit of money in a cent, and of an hour. */
const PER_CENT = 100n;
const ONE = 10_000n;
const HOUR = 60n;

/** Minutes of one kind of a presence on one day. */
export interface Hours {
  guard: Guard;
  duty: PlacedDuty;
  presence: Presence;
  place: Place;
  /** The day on which they were worked, whose timesheet has them. */
  on: number;
  /** The day that they are billed as. */
  day: number;
  kind: Kind;
  minutes: number;
  /** Each of these minutes. */
  at: number[];
  /** Undefined: neither billed, waived nor above the headcount. */
  state?: Line | 'waived' | 'surplus';
}

export interface Line {
  term: Term;
  post: string | null;
  kind: Kind | 'fixed' | 'minimum' | 'gap_credit' | 'estimate' | 'settlement';
  /** Ten-thousandths of an hour or a month. */
  quantity: bigint;
  cents: bigint;
  taxRate: bigint | undefined;
  hours: Hours[];
  /** First day of the month. */
  month?: number;
  /** Uncovered days, or the first and last day of an estimate. */
  days: number[];
  settles?: Line;
  credited: boolean;
}

export interface Invoice {
  contract: Contract;
  lines: Line[];
  first: number;
  last: number;
  issuedOn: number;
  /** How it is called in the database. */
  id: string;
  number: string;
  credited: bigint;
  paid: bigint;
}

export const taxOf = ({ cents, taxRate }: Pick<Line, 'cents' | 'taxRate'>): bigint =>
  divided(cents * (taxRate ?? 0n), ONE);

export const sumOf = (lines: Line[]): bigint =>
  lines.reduce((sum, line) => sum + line.cents + taxOf(line), 0n);

export const openOf = ({ lines, credited, paid }: Invoice): bigint =>
  sumOf(lines) - credited - paid;

/** Ten-thousandths of an hour. */
export const quantityOf = (minutes: number): bigint => divided(BigInt(minutes) * ONE, HOUR);

/** Cents of minutes at ten-thousandths per hour. */
export const worth = (minutes: number, rate: bigint): bigint =>
  divided(BigInt(minutes) * rate, HOUR * PER_CENT);

export const told = ({ post, kind, quantity, cents, taxRate, ...line }: Line): string =>
  [
    kind,
    post?.slice(0, 8) ?? '-',
    quantity,
    cents,
    taxOf({ cents, taxRate }),
    line.month ?? '',
  ].join(' ');
