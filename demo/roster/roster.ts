// Assigns guards to shifts: regulars at their posts, relief on their days off and leave, as the law allows. The busiest
// site has published next week; for the others it is a draft. Later weeks are open.

import { type Calendar, HOUR } from '../calendar.ts';
import type { Company } from '../clients/business.ts';
import { REGIONS } from '../clients/places.ts';
import type { Post, Site } from '../clients/site.ts';
import type { Leave } from '../leave/leave.ts';
import type { Certificate } from '../people/certifications.ts';
import type { Person } from '../people/people.ts';
import { idOf, Random } from '../random.ts';
import type { Shift } from '../shifts/shifts.ts';
import { DutyBook } from './duty-book.ts';

const ROLES = ['Guard', 'Guard', 'Guard', 'Gate', 'Patrol', 'Access Control', 'CCTV'] as const;

export interface Assignment {
  id: string;
  shift: Shift;
  guard: Person;
  status: 'assigned' | 'confirmed' | 'completed' | 'no_show' | 'cancelled';
  role: string;
  attendance: 'none' | 'in' | 'out';
}

export interface Roster {
  assignments: Assignment[];
  /** Next week's, not published yet. */
  drafted: { shift: Shift; guard: Person }[];
  /** Seats of past, present and next week that nobody works. */
  gaps: Shift[];
  books: DutyBook[];
}

interface Regular {
  book: DutyBook;
  /** Weekdays, 0 for Sunday. */
  daysOn: ReadonlySet<number>;
}

interface Force {
  /** By seat. */
  regulars: Map<string, Regular>;
  relief: Map<string, DutyBook[]>;
}

/** @param seat from 0 within the turn; 0 is the shift commander where there are three */
const seatKey = (post: Post, turn: number, seat: number): string => `${post.id}/${turn}/${seat}`;

/**
 * guard@ and guard2@ work at the busiest site, one by day and one by night.
 * guard@ has the turn that allows clocking in at the hour of loading, so that a demo can always show it.
 */
function demoSeats({ business, people, calendar }: Company): Map<string, Person> {
  const hour = calendar.hourNow;
  const isByNight = hour >= 16 || hour < 2;
  const [gate] = business.busiest.posts;
  if (gate === undefined) throw new Error('The busiest site has no post.');
  const seat = (turn: number): string => seatKey(gate, turn, 1);
  return new Map([
    [seat(isByNight ? 1 : 0), people.named('guard')],
    [seat(isByNight ? 0 : 1), people.named('guard2')],
  ]);
}

const DAYS = [0, 1, 2, 3, 4, 5, 6];
const WEEKDAYS = new Set([1, 2, 3, 4, 5]);

/** Four days of 12 hours or four nights in a row, five of 8 hours. @param first weekday */
function daysOnFrom(first: number, { preset }: { preset: string }, turn: number): Set<number> {
  if (preset === 'weekdays') return WEEKDAYS;
  const isLong = preset !== 'day_and_night_8' || turn === 2;
  // Five days of 8 hours leave two free ones, which must lie in the same week.
  const from = !isLong && first === 2 ? 3 : first;
  return new Set(DAYS.slice(0, isLong ? 4 : 5).map((day) => (from + day) % 7));
}

/** Who may work at a post: gender and certificate, besides leave and having left. */
class Eligibility {
  readonly #leave = new Map<Person, Leave[]>();
  readonly #expires = new Map<string, number>();

  constructor(leave: readonly Leave[], certificates: readonly Certificate[]) {
    for (const one of leave) {
      if (one.status !== 'approved') continue;
      this.#leave.set(one.person, [...(this.#leave.get(one.person) ?? []), one]);
    }
    for (const { person, course, expires } of certificates) {
      this.#expires.set(`${person.id}/${course}`, expires);
    }
  }

  fits(guard: Person, { gender, course }: Post, until: number): boolean {
    if (gender !== undefined && guard.gender !== gender) return false;
    return (
      course === undefined || (this.#expires.get(`${guard.id}/${course}`) ?? -Infinity) > until
    );
  }

  isPresent(guard: Person, { day, start, end, post }: Shift, calendar: Calendar): boolean {
    if (guard.left !== undefined && day > guard.left) return false;
    // A shift that ends at midnight doesn't touch the next day.
    const last = end > calendar.at(day + 1, 0) ? day + 1 : day;
    if (this.#leave.get(guard)?.some((one) => one.first <= last && day <= one.last)) return false;
    return start > 0 && this.fits(guard, post, day + 1);
  }
}

/** Hours a week that the regulars leave to the relief. */
function reliefNeed(site: Site): number {
  return site.posts.reduce((sum, post) => {
    const [first] = post.requirements;
    if (first?.preset === 'weekdays') return sum + 4 * post.guards;
    return sum + post.lines.length * post.guards * (post.lines.length === 3 ? 22 : 38);
  }, 0);
}

/** Distributes relief guards over the regions in proportion to the need. */
function shareOut(books: readonly DutyBook[], sites: readonly Site[]): Force['relief'] {
  const hours = new Map<string, number>();
  for (const site of sites) {
    const { region } = site.place;
    hours.set(region, (hours.get(region) ?? 0) + reliefNeed(site));
  }
  const relief = new Map<string, DutyBook[]>(REGIONS.map((region) => [region, []]));
  const need = (region: string): number =>
    (hours.get(region) ?? 0) / ((relief.get(region)?.length ?? 0) + 1);
  for (const book of books) {
    const neediest = REGIONS.reduce((most, region) => (need(region) > need(most) ? region : most));
    relief.get(neediest)?.push(book);
  }
  return relief;
}

/** Days for which certificates of regulars must be valid. */
const REGULARS_VALID = 60;

/** @throws Error when there are more seats than guards */
function makeForce(company: Company, eligibility: Eligibility): Force {
  const { business, people, calendar } = company;
  const demo = demoSeats(company);
  const waiting = people.guards.filter((guard) => ![...demo.values()].includes(guard));
  const next = (post: Post): Person => {
    const index = waiting.findIndex((guard) => eligibility.fits(guard, post, REGULARS_VALID));
    const [guard] = index < 0 ? [] : waiting.splice(index, 1);
    if (guard === undefined) throw new Error('There are more seats than guards.');
    return guard;
  };
  const regulars = new Map<string, Regular>();
  for (const post of business.sites.flatMap(({ posts }) => posts)) {
    const [{ preset } = { preset: '' }] = post.requirements;
    post.lines.forEach((_, turn) => {
      for (let seat = 0; seat < post.guards; seat += 1) {
        const key = seatKey(post, turn, seat);
        const own = demo.get(key);
        // The demo guards are on duty yesterday, today and the next two days.
        const first = own ? calendar.weekday(-1) : (regulars.size * 3) % 7;
        const book = new DutyBook(own ?? next(post));
        regulars.set(key, { book, daysOn: daysOnFrom(first, { preset }, turn) });
      }
    });
  }
  const others = waiting.map((guard) => new DutyBook(guard));
  return { regulars, relief: shareOut(others, business.sites) };
}

/** Hours of this week that knowing the site is worth when relief is chosen. */
const KNOWN_SITE = 6 * HOUR;

class Planner {
  readonly roster: Roster;
  readonly #random = new Random('roster');
  readonly #now: number;
  readonly #nextWeek: number;

  constructor(
    readonly force: Force,
    readonly eligibility: Eligibility,
    readonly company: Company,
  ) {
    const { calendar } = company;
    this.#now = calendar.now.getTime();
    this.#nextWeek = calendar.monday(1);
    const books = [...force.regulars.values()].map(({ book }) => book);
    this.roster = {
      assignments: [],
      drafted: [],
      gaps: [],
      books: [...books, ...[...force.relief.values()].flat()],
    };
  }

  #isFree(book: DutyBook, shift: Shift, overtime = false): boolean {
    return (
      book.canWork(shift, { overtime }) &&
      this.eligibility.isPresent(book.guard, shift, this.company.calendar)
    );
  }

  /** The guard with the fewest hours this week, rather one who knows the site; with overtime if there is no other. */
  #relief(shift: Shift): DutyBook | undefined {
    // Some seats stay open, and more of them while a week is still a draft.
    if (this.#random.chance(shift.day < this.#nextWeek ? 0.004 : 0.011)) return undefined;
    const pool = this.force.relief.get(shift.site.place.region) ?? [];
    let best: DutyBook | undefined;
    let lowest = Infinity;
    for (const book of pool) {
      if (!book.isRested(shift)) continue;
      const known = book.sites.has(shift.site.id) ? KNOWN_SITE : 0;
      const cost = book.workedInWeekOf(shift) - known;
      if (cost >= lowest || !this.#isFree(book, shift)) continue;
      best = book;
      lowest = cost;
    }
    return best ?? pool.find((book) => this.#isFree(book, shift, true));
  }

  #work(book: DutyBook, shift: Shift, role: string): void {
    book.add(shift);
    if (shift.day >= this.#nextWeek && shift.site !== this.company.business.busiest) {
      this.roster.drafted.push({ shift, guard: book.guard });
    } else {
      this.#assign(book.guard, shift, role, this.#planned(shift));
    }
  }

  fill(shift: Shift, seat: number): void {
    const random = this.#random;
    const role =
      seat === 0 && shift.headcount >= 3 ? 'Shift Commander' : (ROLES[seat % ROLES.length] ?? '');
    const regular = this.force.regulars.get(seatKey(shift.post, shift.turn, seat));
    const isOn = regular?.daysOn.has(this.company.calendar.weekday(shift.day)) ?? false;
    if (regular !== undefined && isOn && this.#isFree(regular.book, shift)) {
      const isDemo = /^guard2?@/.test(regular.book.guard.email);
      if (isDemo || shift.day >= this.#nextWeek || !random.chance(0.008)) {
        this.#work(regular.book, shift, role);
        return;
      }
      // Cancelled before the shift.
      regular.book.skip(shift);
      this.#assign(regular.book.guard, shift, role, 'cancelled');
    }
    const other = this.#relief(shift);
    if (other) this.#work(other, shift, seat === 0 ? role : 'Relief Guard');
    else this.roster.gaps.push(shift);
  }

  #planned(shift: Shift): Assignment['status'] {
    if (shift.start <= this.#now) return 'confirmed';
    return shift.day <= 3 && this.#random.chance(0.7) ? 'confirmed' : 'assigned';
  }

  #assign(guard: Person, shift: Shift, role: string, status: Assignment['status']): void {
    const id = idOf('assignment', this.roster.assignments.length);
    this.roster.assignments.push({ id, shift, guard, status, role, attendance: 'none' });
  }
}

/**
 * @param shifts in order of their start
 * @returns what is planned, before any clock-in
 */
export function makeRoster(
  shifts: readonly Shift[],
  leave: readonly Leave[],
  certificates: readonly Certificate[],
  company: Company,
): Roster {
  const eligibility = new Eligibility(leave, certificates);
  const planner = new Planner(makeForce(company, eligibility), eligibility, company);
  const afterNextWeek = company.calendar.monday(2);
  for (const shift of shifts) {
    if (shift.day >= afterNextWeek) break;
    for (let seat = 0; seat < shift.headcount; seat += 1) planner.fill(shift, seat);
  }
  return planner.roster;
}
