// What is known about a guard: the facts that the company enters and that the calculation starts from.
import type { Currency, Frequency } from './calendar.ts';

export type Decision = 'early_arrival' | 'stayed_on' | 'overtime';

/** One presence; minutes with the seconds of the phone's clock. */
export interface Presence {
  in: number;
  inSecond: number;
  out: number;
  outSecond: number;
  /** The guard did not clock out; the time was entered by hand. */
  isCorrected: boolean;
  decisions: Partial<Record<Decision, boolean>>;
}

/** A planned shift, in minutes, with who was there when. */
export interface Duty {
  from: number;
  to: number;
  presences: Presence[];
  /** The guard was noted as a no-show. */
  isNoShow: boolean;
  /** Number of the guard who had the shift before. */
  swappedFrom?: number;
  /** The presence of a phone without a signal that arrives after the month was locked. */
  late?: Presence;
}

export interface Leave {
  type: 'annual' | 'sick' | 'unpaid' | 'paternity';
  first: number;
  last: number;
}

/** Amounts are in cents. */
export interface PayBasis {
  from: number;
  basis: 'salary' | 'hourly' | 'shift';
  amount: bigint;
  currency: Currency;
}

export interface PayItem {
  kind: 'allowance' | 'deduction';
  name: string;
  amount: bigint;
  currency: Currency;
  per: 'period' | 'day' | 'shift';
  taxable: boolean;
  from: number;
  to?: number;
}

export interface Debt {
  kind: 'advance' | 'loan' | 'uniform';
  amount: bigint;
  currency: Currency;
  part: bigint;
  from: number;
}

export interface Guard {
  number: number;
  name: string;
  frequency: Frequency;
  hired: number;
  /** Last day of the employment. */
  left?: number;
  isResident: boolean;
  bases: [PayBasis, ...PayBasis[]];
  items: PayItem[];
  debts: Debt[];
  leave: Leave[];
  duties: Duty[];
}
