// Assigns guards to shifts: regulars at their posts, relief on their days off and leave, no overlaps.
import { type Company, type Site, sumOf } from './business.ts';
import { type Calendar, HOUR } from './calendar.ts';
import { REGIONS } from './data.ts';
import type { Leave } from './leave.ts';
import type { Person } from './people.ts';
import { idOf, Random } from './random.ts';
import { FIRST_DAY, type Shift } from './shifts.ts';

const REST = 8 * HOUR;
const MOST_SHIFTS_A_WEEK = 6;
/** Days ahead for which relief is planned; later shifts have gaps. */
const RELIEF_ARRANGED = 4;
const ROLES = ['Guard', 'Guard', 'Guard', 'Gate', 'Patrol', 'Access Control', 'CCTV'] as const;

export interface Assignment {
  id: string;
  shift: Shift;
  guard: Person;
  status: 'assigned' | 'confirmed' | 'completed' | 'no_show' | 'cancelled';
  role: string;
  attendance: 'none' | 'in' | 'out';
}

interface Duty {
  guard: Person;
  /** A regular's day off, 0 for Sunday. */
  dayOff: number;
  /** End of the rest period after the last shift, in milliseconds since 1970. */
  freeFrom: number;
  /** Number of shifts by calendar week. */
  weeks: Map<number, number>;
}

interface Force {
  /** By post. */
  regulars: Map<string, Duty>;
  relief: Map<string, Duty[]>;
}

/** @param seat from 0 within the turn; 0 is the shift commander */
const postOf = (site: Site, turn: number, seat: number): string => `${site.id}/${turn}/${seat}`;

/**
 * guard@ and guard2@ work at the busiest site, one by day and one by night.
 * guard@ has the turn that allows clocking in at the hour of loading, so that a demo can always show it.
 */
function demoPosts({ business, people, calendar }: Company): Map<string, Person> {
  const hour = calendar.hourNow;
  const isByNight = hour >= 16 || hour < 2;
  const post = (turn: number): string => postOf(business.busiest, turn, 1);
  return new Map([
    [post(isByNight ? 1 : 0), people.named('guard')],
    [post(isByNight ? 0 : 1), people.named('guard2')],
  ]);
}

/** Distributes relief guards over the regions in proportion to their posts. */
function shareOut(guards: readonly Duty[], posts: ReadonlyMap<string, number>): Force['relief'] {
  const relief = new Map<string, Duty[]>(REGIONS.map((region) => [region, []]));
  const need = (region: string): number =>
    (posts.get(region) ?? 0) / ((relief.get(region)?.length ?? 0) + 1);
  for (const duty of guards) {
    const neediest = REGIONS.reduce((most, region) => (need(region) > need(most) ? region : most));
    relief.get(neediest)?.push(duty);
  }
  return relief;
}

/** @throws Error when there are more posts than guards */
function makeForce(company: Company): Force {
  const { business, people, calendar } = company;
  const duty = (guard: Person, dayOff: number): Duty => {
    return { guard, dayOff, freeFrom: 0, weeks: new Map() };
  };
  const demo = demoPosts(company);
  const waiting = people.guards.filter((guard) => ![...demo.values()].includes(guard));
  const regulars = new Map<string, Duty>();
  const posts = new Map<string, number>();
  for (const site of business.sites) {
    const { region } = site.place;
    posts.set(region, (posts.get(region) ?? 0) + sumOf(site.turns));
    site.turns.forEach((seats, turn) => {
      for (let seat = 0; seat < seats; seat += 1) {
        const post = postOf(site, turn, seat);
        const own = demo.get(post);
        const guard = own ?? waiting.shift();
        if (guard === undefined) throw new Error('There are more posts than guards.');
        // The demo guards are on duty yesterday, today and the next days.
        const dayOff = own ? calendar.weekday(4) : (regulars.size * 3) % 7;
        regulars.set(post, duty(guard, dayOff));
      }
    });
  }
  const others = waiting.map((guard) => duty(guard, -1));
  return { regulars, relief: shareOut(others, posts) };
}

/** Whether a person is on approved leave on a day. */
function leaveBook(
  leave: readonly Leave[],
): (person: Person, first: number, last: number) => boolean {
  const periods = new Map<Person, Leave[]>();
  for (const one of leave) {
    if (one.status !== 'approved') continue;
    periods.set(one.person, [...(periods.get(one.person) ?? []), one]);
  }
  return (person, from, to) =>
    periods.get(person)?.some(({ first, last }) => first <= to && from <= last) ?? false;
}

const weekOf = (day: number): number => Math.floor((day - FIRST_DAY) / 7);

class Roster {
  readonly assignments: Assignment[] = [];
  readonly #random = new Random('roster');
  readonly #isOnLeave: ReturnType<typeof leaveBook>;
  readonly #calendar: Calendar;
  readonly #now: number;

  constructor(leave: readonly Leave[], calendar: Calendar) {
    this.#isOnLeave = leaveBook(leave);
    this.#calendar = calendar;
    this.#now = calendar.now.getTime();
  }

  /** @returns whether the person can work the shift, rested and within the week's limit */
  isFree(duty: Duty, shift: Shift): boolean {
    const { guard } = duty;
    const isOverMidnight = shift.end > this.#calendar.at(shift.day + 1, 0);
    return (
      duty.freeFrom <= shift.start &&
      (guard.left === undefined || shift.day < guard.left) &&
      (duty.weeks.get(weekOf(shift.day)) ?? 0) < MOST_SHIFTS_A_WEEK &&
      !this.#isOnLeave(guard, shift.day, shift.day + (isOverMidnight ? 1 : 0))
    );
  }

  /** The next available relief guard of the region. */
  relief(force: Duty[], shift: Shift): Duty | undefined {
    const random = this.#random;
    if (shift.day > RELIEF_ARRANGED && random.chance(0.4)) return undefined;
    const index = force.findIndex((duty) => this.isFree(duty, shift));
    const [duty] = index < 0 ? [] : force.splice(index, 1);
    if (duty !== undefined) force.push(duty);
    return duty;
  }

  assign(duty: Duty, shift: Shift, role: string): void {
    const week = weekOf(shift.day);
    duty.weeks.set(week, (duty.weeks.get(week) ?? 0) + 1);
    duty.freeFrom = shift.end + REST;
    this.#add(duty.guard, shift, role, this.#planned(shift));
  }

  /** An assignment cancelled before the shift; the guard is unavailable until its end. */
  cancel(duty: Duty, shift: Shift, role: string): void {
    duty.freeFrom = shift.end;
    this.#add(duty.guard, shift, role, 'cancelled');
  }

  fill(shift: Shift, seat: number, regular: Duty | undefined, relief: Duty[]): void {
    const random = this.#random;
    const role =
      seat === 0 && shift.headcount >= 3 ? 'Shift Commander' : (ROLES[seat % ROLES.length] ?? '');
    const isDemo = regular !== undefined && /^guard2?@/.test(regular.guard.email);
    const isDayOff = regular?.dayOff === this.#calendar.weekday(shift.day);
    if (regular && !isDayOff && this.isFree(regular, shift)) {
      if (isDemo || !random.chance(0.008)) {
        this.assign(regular, shift, role);
        return;
      }
      this.cancel(regular, shift, role);
    }
    const other = this.relief(relief, shift);
    if (other) this.assign(other, shift, seat === 0 ? role : 'Relief Guard');
  }

  #planned(shift: Shift): Assignment['status'] {
    const random = this.#random;
    if (shift.start <= this.#now) return 'confirmed';
    return shift.day <= 3 && random.chance(0.7) ? 'confirmed' : 'assigned';
  }

  #add(guard: Person, shift: Shift, role: string, status: Assignment['status']): void {
    const id = idOf('assignment', this.assignments.length);
    this.assignments.push({ id, shift, guard, status, role, attendance: 'none' });
  }
}

/**
 * @param shifts in order of their start
 * @returns planned assignments, before any clock-in
 */
export function makeAssignments(
  shifts: readonly Shift[],
  leave: readonly Leave[],
  company: Company,
): Assignment[] {
  const force = makeForce(company);
  const roster = new Roster(leave, company.calendar);
  for (const shift of shifts) {
    const relief = force.relief.get(shift.site.place.region) ?? [];
    for (let seat = 0; seat < shift.headcount; seat += 1) {
      const regular = force.regulars.get(postOf(shift.site, shift.turn, seat));
      roster.fill(shift, seat, regular, relief);
    }
  }
  return roster.assignments;
}
