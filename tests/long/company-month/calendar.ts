// Days count from Monday, February 24, 2025; minute 0 is its midnight. Monrovia has UTC all year. The month is March 2025.

export const DAY = 1440;
const ZERO = Date.UTC(2025, 1, 24);
const DAY_MS = 86_400_000;

/** @returns `YYYY-MM-DD` */
export const dateOf = (day: number): string =>
  new Date(ZERO + day * DAY_MS).toISOString().slice(0, 10);

export const dayOf = (date: string): number => (Date.parse(`${date}T00:00Z`) - ZERO) / DAY_MS;

export const instant = (minute: number, second = 0): string =>
  new Date(ZERO + (minute * 60 + second) * 1000).toISOString();

export const dayAt = (minute: number): number => Math.floor(minute / DAY);

/** Weeks begin on Monday. */
export const weekOf = (day: number): number => Math.floor(day / 7);

export const isSunday = (day: number): boolean => ((day % 7) + 7) % 7 === 6;

/** Public holidays of the first months of 2025, and of the following winter. */
export const PUBLIC_HOLIDAYS = [
  '2025-01-01',
  '2025-02-11',
  '2025-03-12',
  '2025-03-15',
  '2025-04-11',
  '2025-11-06',
  '2025-11-29',
  '2025-12-25',
  '2026-01-01',
];
/** Declared by the company. */
export const COMPANY_HOLIDAY = '2025-03-27';
/** In the public calendar, but the company works as on any day. */
export const WORKED_HOLIDAY = '2025-03-20';

const HOLIDAYS = new Set([...PUBLIC_HOLIDAYS, COMPANY_HOLIDAY].map(dayOf));
export const isHoliday = (day: number): boolean => HOLIDAYS.has(day);

export type Frequency = 'monthly' | 'bi-weekly' | 'weekly';
export type Currency = 'USD' | 'LRD';

/** A pay run: both days are paid. */
export interface Period {
  group: Frequency;
  currency: Currency;
  first: number;
  last: number;
}

const period = (group: Frequency, currency: Currency, first: string, last: string): Period => ({
  group,
  currency,
  first: dayOf(first),
  last: dayOf(last),
});

const weeks = (currency: Currency): Period[] =>
  [0, 7, 14, 21, 28, 35].map((first) => ({ group: 'weekly', currency, first, last: first + 6 }));

/** In the order in which the company pays them. The first and last weeks cross the edges of the month. */
export const RUNS: Period[] = [
  ...weeks('USD').slice(0, 5),
  ...weeks('LRD').slice(0, 5),
  period('bi-weekly', 'USD', '2025-03-03', '2025-03-16'),
  period('bi-weekly', 'USD', '2025-03-17', '2025-03-30'),
  period('monthly', 'USD', '2025-03-01', '2025-03-31'),
  period('monthly', 'LRD', '2025-03-01', '2025-03-31'),
  ...weeks('USD').slice(5),
  ...weeks('LRD').slice(5),
];

/** Pays what arrives after March was locked. */
export const APRIL = period('monthly', 'USD', '2025-04-01', '2025-04-30');

/** Work is planned from the first to the last of these days. */
export const LAST_DAY = 41;

export const nameOf = ({ group, currency, first, last }: Period): string =>
  `${group} ${currency} ${dateOf(first)} to ${dateOf(last)}`;
