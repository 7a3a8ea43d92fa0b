// What the company agrees with its clients and plans for its guards: all that the calculation starts from.
import type { Currency, Frequency } from '../company-month/calendar.ts';
import type { Duty } from '../company-month/facts.ts';

export const KINDS = ['regular', 'overtime', 'night', 'holiday', 'rest_day'] as const;
export type Kind = (typeof KINDS)[number];

export interface Place {
  client: Client;
  site: string;
  post: string | null;
}

/** Ten-thousandths of a unit of money, per hour. */
export interface Rate {
  term?: Term;
  kind: Kind;
  amount: bigint;
  from: number;
}

/** How a post, or the rest of a site, is billed. Days are inclusive. */
export interface Term {
  id: string;
  contract: Contract;
  site: string;
  post: string | null;
  basis: 'worked' | 'fixed' | 'minimum';
  /** Cents. */
  monthly?: bigint;
  minimumHours?: number;
  first: number;
  last?: number;
}

export interface Contract {
  id: string;
  client: Client;
  currency: Currency;
  first: number;
  last?: number;
  gap: 'none' | 'hours' | 'penalty';
  /** Ten-thousandths. */
  factor: bigint;
  tax?: string;
  terms: Term[];
  rates: Rate[];
  termDays: number;
}

export interface Client {
  number: number;
  id: string;
  name: string;
  places: Place[];
  contracts: Contract[];
}

export interface PlacedDuty extends Duty {
  place: Place;
}

export interface Guard {
  number: number;
  id: string;
  name: string;
  frequency: Frequency;
  /** Whose hours are approved only in the month after. */
  isLate: boolean;
  duties: PlacedDuty[];
}

export interface Shift {
  id: string;
  place: Place;
  from: number;
  to: number;
  headcount: number;
  duties: PlacedDuty[];
}

export interface Company {
  clients: Client[];
  guards: Guard[];
  shifts: Shift[];
}
