// Who works when, and what goes wrong: absences, late and early arrivals, people who stay on, forget to clock out, or
// leave their post for an hour.
import type { Random } from '#demo/random.ts';
import { DAY, dayAt } from './calendar.ts';
import type { Duty, Leave, Presence } from './facts.ts';

/** Weekdays from Monday = 0, and shifts by hours from and to; past 24 they end on the next day. */
interface Pattern {
  days: number[];
  hours: [from: number, to: number][];
}

const PATTERNS = {
  longDays: { days: [0, 1, 2, 3, 4], hours: [[6, 18]] },
  sixLongDays: { days: [0, 1, 2, 3, 4, 5], hours: [[6, 18]] },
  fourNights: { days: [0, 1, 2, 3], hours: [[18, 30]] },
  lateNights: { days: [3, 4, 5, 6], hours: [[18, 30]] },
  sixNights: { days: [0, 1, 2, 3, 4, 5], hours: [[18, 30]] },
  shortNights: { days: [6, 0, 1, 2, 3], hours: [[22, 30]] },
  officeDays: { days: [0, 1, 2, 3, 4], hours: [[8, 16]] },
  everyDay: { days: [0, 1, 2, 3, 4, 5, 6], hours: [[8, 16]] },
  relief: { days: [1, 5], hours: [[6, 18]] },
  evenings: { days: [1, 2, 3, 4, 5, 6], hours: [[15, 23]] },
  splitDays: {
    days: [0, 1, 2, 3, 4],
    hours: [
      [5, 11],
      [16, 23],
    ],
  },
} satisfies Record<string, Pattern>;

export type PatternName = keyof typeof PATTERNS;

const asPlanned = (duty: Pick<Duty, 'from' | 'to'>, random: Random): Presence => ({
  in: duty.from,
  // Seconds never count.
  inSecond: random.int(0, 59),
  out: duty.to,
  outSecond: random.int(0, 59),
  isCorrected: false,
  decisions: {},
});

type Change = (presence: Presence, random: Random, duty: Duty) => void;

const FAULTS: [weight: number, change: Change][] = [
  [560, () => {}],
  [60, (presence, random) => (presence.in += random.int(1, 5))],
  [50, (presence, random) => (presence.in += random.int(6, 95))],
  [120, (presence, random) => (presence.in -= random.int(1, 40))],
  [
    15,
    (presence, random) => {
      presence.in -= random.int(5, 50);
      presence.decisions.early_arrival = random.chance(0.7);
    },
  ],
  [80, (presence, random) => (presence.out += random.int(1, 15))],
  [
    8,
    (presence, random) => {
      presence.out += random.int(16, 75);
      presence.decisions.stayed_on = random.chance(0.6);
    },
  ],
  [
    8,
    (presence, random) => {
      presence.out += random.int(16, 75);
      presence.decisions.overtime = random.chance(0.6);
    },
  ],
  [30, (presence, random) => (presence.out -= random.int(1, 120))],
  [20, (presence) => (presence.isCorrected = true)],
  [
    8,
    (presence, random, duty) => {
      // Away for a while in the middle: two records of one shift.
      const back = { ...presence, decisions: {}, in: presence.in + random.int(150, 240) };
      presence.out = back.in - random.int(20, 80);
      duty.presences.push(back);
    },
  ],
  [
    24,
    (_, __, duty) => {
      duty.presences = [];
      duty.isNoShow = true;
    },
  ],
];

/** What happened on a planned shift. */
function attend(duty: Duty, random: Random): void {
  const presence = asPlanned(duty, random);
  duty.presences.push(presence);
  random.weighted(FAULTS.map(([weight, change]) => [change, weight] as const))(
    presence,
    random,
    duty,
  );
}

const touches = (duty: Pick<Duty, 'from' | 'to'>, { first, last }: Leave): boolean =>
  dayAt(duty.from) <= last && dayAt(duty.to - 1) >= first;

/**
 * @param first first day on which a shift may begin
 * @param last last day on which a shift may end
 */
export function dutiesOf(
  pattern: PatternName,
  first: number,
  last: number,
  leave: Leave[],
  random: Random,
): Duty[] {
  const { days, hours }: Pattern = PATTERNS[pattern];
  const duties: Duty[] = [];
  for (let day = Math.max(0, first); day <= last; day += 1) {
    if (!days.includes(day % 7)) continue;
    for (const [from, to] of hours) {
      const duty: Duty = {
        from: day * DAY + from * 60,
        to: day * DAY + to * 60,
        presences: [],
        isNoShow: false,
      };
      if (dayAt(duty.to - 1) > last) continue;
      const away = leave.find((one) => touches(duty, one));
      if (away === undefined) attend(duty, random);
      // Some leave was planned around; some shifts stay in the roster, and now and then the guard comes after all.
      else if (away.first % 3 === 0) continue;
      else if (random.chance(0.08)) duty.presences.push(asPlanned(duty, random));
      duties.push(duty);
    }
  }
  return duties;
}

/** Gives some shifts of one guard to another who is free from half a day before to half a day after. */
export function swap(giver: Duty[], taker: Duty[], giverNumber: number, random: Random): boolean {
  const free = giver.filter(
    (duty) =>
      duty.presences.length === 1 &&
      taker.every((own) => own.to + DAY / 2 <= duty.from || own.from - DAY / 2 >= duty.to),
  );
  if (free.length === 0) return false;
  const duty = random.pick(free);
  giver.splice(giver.indexOf(duty), 1);
  taker.push({ ...duty, swappedFrom: giverNumber });
  taker.sort((a, b) => a.from - b.from);
  return true;
}
