// The 520 guards, from a seed: their pay, leave, debts and shifts.
import { Random } from '#demo/random.ts';
import { type Currency, dateOf, dayAt, dayOf, type Frequency, LAST_DAY } from './calendar.ts';
import type { Debt, Guard, Leave, PayBasis, PayItem } from './facts.ts';
import { dutiesOf, type PatternName, swap } from './roster.ts';

export const GUARDS = 520;
/** The first guards clock over HTTP, each with a session of their own. */
export const WITH_PHONES = 5;
const SWAPS = 40;

/** Groups of pay in the order of numbers. */
const GROUPS: [until: number, frequency: Frequency, currency: Currency][] = [
  [330, 'monthly', 'USD'],
  [390, 'monthly', 'LRD'],
  [440, 'bi-weekly', 'USD'],
  [490, 'weekly', 'USD'],
  [GUARDS, 'weekly', 'LRD'],
];

/** In cents, in USD: of a month, an hour and a shift. */
const RATES = { salary: [14_300, 32_000], hourly: [68, 160], shift: [550, 1_450] } as const;
const PAYMENTS_A_YEAR = { monthly: 12, 'bi-weekly': 26, weekly: 52 } as const;
const LRD = 187;

function basisOf(
  kind: PayBasis['basis'],
  from: number,
  frequency: Frequency,
  currency: Currency,
  random: Random,
): PayBasis {
  const [low, high] = RATES[kind];
  const month = random.int(low, high) * (currency === 'LRD' ? LRD : 1);
  const amount = kind === 'salary' ? Math.round((month * 12) / PAYMENTS_A_YEAR[frequency]) : month;
  return { from, basis: kind, amount: BigInt(amount), currency };
}

function itemsOf(currency: Currency, random: Random): PayItem[] {
  const of = (low: number, high: number) =>
    BigInt(random.int(low, high) * (currency === 'LRD' ? LRD : 1));
  const always = dayOf('2024-01-01');
  const all: PayItem[] = [
    {
      kind: 'allowance',
      name: 'Transport',
      per: 'period',
      amount: of(400, 1500),
      taxable: true,
      currency,
      from: always,
    },
    {
      kind: 'allowance',
      name: 'Rice',
      per: 'day',
      amount: of(30, 90),
      taxable: false,
      currency,
      from: always,
    },
    {
      kind: 'allowance',
      name: 'Post',
      per: 'shift',
      amount: of(25, 75),
      taxable: true,
      currency,
      from: dayOf('2025-03-11'),
    },
    {
      kind: 'allowance',
      name: 'Phone',
      per: 'period',
      amount: of(200, 500),
      taxable: true,
      currency,
      from: always,
      to: dayOf('2025-03-13'),
    },
    {
      kind: 'deduction',
      name: 'Union',
      per: 'period',
      amount: of(100, 300),
      taxable: true,
      currency,
      from: always,
    },
    {
      kind: 'deduction',
      name: 'Meals',
      per: 'day',
      amount: of(10, 40),
      taxable: true,
      currency,
      from: dayOf('2025-03-05'),
    },
    {
      kind: 'deduction',
      name: 'Bus',
      per: 'shift',
      amount: of(10, 30),
      taxable: true,
      currency,
      from: dayOf('2025-03-18'),
      to: dayOf('2025-04-02'),
    },
  ];
  return all.filter(() => random.chance(0.16));
}

function debtsOf(currency: Currency, random: Random): Debt[] {
  const of = (low: number, high: number) =>
    BigInt(random.int(low, high) * (currency === 'LRD' ? LRD : 1));
  const all: Debt[] = [
    {
      kind: 'advance',
      currency,
      amount: of(1_000, 6_000),
      part: of(1_000, 4_000),
      from: dayOf('2025-02-01'),
    },
    {
      kind: 'loan',
      currency,
      amount: of(10_000, 60_000),
      part: of(1_500, 9_000),
      from: dayOf('2025-01-15'),
    },
    {
      kind: 'uniform',
      currency,
      amount: of(1_500, 4_000),
      part: of(500, 1_500),
      from: dayOf('2025-03-20'),
    },
  ];
  return all.filter(() => random.chance(0.13));
}

function leaveOf(random: Random): Leave[] {
  const first = random.int(6, 30);
  const last = first + random.int(0, 6);
  return random.weighted<Leave[]>([
    [[], 84],
    [[{ type: 'annual', first, last }], 7],
    [[{ type: 'unpaid', first, last }], 4],
    [[{ type: 'paternity', first, last }], 1],
    [[{ type: 'sick', first, last }], 3],
    // Eight paid days of sickness were used in January.
    [
      [
        { type: 'sick', first: dayOf('2025-01-13'), last: dayOf('2025-01-21') },
        { type: 'sick', first, last: first + 5 },
      ],
      2,
    ],
  ]);
}

/** Whose rate, kind of pay or currency changes within March, also in the middle of a week. */
function laterBasis(
  number: number,
  first: PayBasis,
  frequency: Frequency,
  random: Random,
): PayBasis[] {
  if (number % 19 !== 4) return [];
  const kind = number % 3 === 0 ? random.pick(['salary', 'hourly'] as const) : first.basis;
  const currency = number % 5 === 0 && frequency === 'monthly' ? 'LRD' : first.currency;
  return [basisOf(kind, random.int(8, 34), frequency, currency, random)];
}

function guardOf(number: number): Guard {
  const random = new Random(`month/${number}`);
  const [, frequency, currency] = GROUPS.find(([until]) => number < until) ??
    GROUPS[0] ?? [0, 'monthly', 'USD'];
  const hired = number % 53 === 9 ? random.int(8, 30) : dayOf('2023-06-01') + number;
  const left = number % 61 === 12 ? random.int(12, 33) : undefined;
  const kind = random.among({ salary: 6, hourly: 2, shift: 2 });
  const pattern = random.among<PatternName>({
    longDays: 3,
    sixLongDays: 2,
    fourNights: 5,
    lateNights: 4,
    sixNights: 2,
    shortNights: 3,
    officeDays: 4,
    everyDay: 2,
    evenings: 2,
    splitDays: 1,
    relief: 8,
  });
  const basis = basisOf(kind, hired, frequency, currency, random);
  const leave = leaveOf(random).filter(
    (one) => one.first >= hired && one.last <= (left ?? LAST_DAY),
  );
  // The weeks on the edges of the month matter to those whose week or limit they change.
  const wholeWeeks = frequency === 'weekly' || number % 3 === 0;
  return {
    number,
    name: `Guard ${String(number).padStart(3, '0')}`,
    frequency,
    hired,
    ...(left !== undefined && { left }),
    isResident: number % 37 !== 5,
    bases: [basis, ...laterBasis(number, basis, frequency, random)],
    items: itemsOf(currency, random),
    debts: debtsOf(currency, random),
    leave,
    duties: dutiesOf(
      pattern,
      Math.max(hired, wholeWeeks ? 0 : 4),
      Math.min(left ?? LAST_DAY, wholeWeeks ? LAST_DAY : 36),
      leave,
      random,
    ),
  };
}

/** Gives the guard a shift whose clock events arrive after March was locked. */
function loseSignal(
  guard: Guard,
  kind: PayBasis['basis'],
  pattern: PatternName,
  date: string,
): void {
  const random = new Random(`lost signal/${guard.number}`);
  guard.bases = [basisOf(kind, guard.hired, 'monthly', 'USD', random)];
  guard.leave = [];
  guard.duties = dutiesOf(pattern, 4, 36, [], random);
  const duty = guard.duties.find(({ from }) => dateOf(dayAt(from)) === date);
  if (duty === undefined) throw new Error(`${guard.name} has no shift to lose.`);
  Object.assign(duty, {
    presences: [],
    isNoShow: true,
    late: {
      in: duty.from + 3,
      inSecond: 20,
      out: duty.to + 1,
      outSecond: 5,
      isCorrected: false,
      decisions: {},
    },
  });
}

/** The same 520 guards each time. */
export function company(): Guard[] {
  const guards = Array.from({ length: GUARDS }, (_, number) => guardOf(number));
  const [salaried, hourly, byShift, overTheEdge] = guards;
  if (salaried && hourly && byShift && overTheEdge) {
    loseSignal(salaried, 'salary', 'officeDays', '2025-03-19');
    loseSignal(hourly, 'hourly', 'sixNights', '2025-03-19');
    loseSignal(byShift, 'shift', 'fourNights', '2025-03-19');
    // From March to April.
    loseSignal(overTheEdge, 'salary', 'fourNights', '2025-03-31');
  }
  const random = new Random('month/swaps');
  const swapped = new Set<Guard>();
  while (swapped.size < 2 * SWAPS) {
    const [giver, taker] = [random.pick(guards.slice(WITH_PHONES)), random.pick(guards)];
    const isEmployed = taker.left === undefined && taker.hired <= 0 && taker.leave.length === 0;
    if (giver === taker || !isEmployed || swapped.has(giver) || swapped.has(taker)) continue;
    if (swap(giver.duties, taker.duties, giver.number, random)) swapped.add(giver).add(taker);
  }
  return guards;
}
