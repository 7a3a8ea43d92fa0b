// Clock-ins and clock-outs up to now: most on time, some late, some too long, some forgotten and corrected later.

import { type Calendar, HOUR, minutes } from '../calendar.ts';
import type { Company, Oversight } from '../clients/business.ts';
import type { Site } from '../clients/site.ts';
import type { Person } from '../people/people.ts';
import { idOf, Random } from '../random.ts';
import type { Assignment } from '../roster/roster.ts';
import attendanceData from './attendance.json' with { type: 'json' };

const { correctionReasons: CORRECTION_REASONS, noLocationReasons: NO_LOCATION_REASONS } =
  attendanceData;

const SECOND = 1_000;
/** Guards who are still clocked in after the end of their shift. */
const FORGOTTEN = 12;
/** Days after which exceptions have been reviewed. */
const REVIEWED_AFTER = 4;

/** Degrees of latitude. */
const METRE = 1 / 111_320;
const NEAR = 48;
const FAR = 6;

interface Position {
  number: number;
  site: Site;
  /** 'lat,lng' in degrees, as the clock dialog sends it. */
  gps: string;
}

export class Positions {
  readonly all: Position[] = [];
  readonly #near = new Map<Site, Position[]>();
  readonly #far = new Map<Site, Position[]>();

  constructor(sites: readonly Site[]) {
    const random = new Random('positions');
    const around = (site: Site, count: number, from: number, to: number): Position[] => {
      const made = Array.from({ length: count }, (_, i): Position => {
        const metres = random.int(from, to);
        const angle = random.next() * 2 * Math.PI;
        const latitude = site.latitude + metres * Math.sin(angle) * METRE;
        const longitude = site.longitude + metres * Math.cos(angle) * METRE;
        const gps = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
        return { number: this.all.length + i, site, gps };
      });
      this.all.push(...made);
      return made;
    };
    for (const site of sites) {
      this.#near.set(site, around(site, NEAR, 2, 75));
      this.#far.set(site, around(site, FAR, 450, 3_000));
    }
  }

  near(site: Site): readonly Position[] {
    return this.#near.get(site) ?? [];
  }

  far(site: Site): readonly Position[] {
    return this.#far.get(site) ?? [];
  }
}

/** A row of the table and what it is derived from; times in milliseconds since 1970. */
export interface Attendance {
  id: string;
  assignment: Assignment;
  inAt: number;
  inPosition: Position | null;
  inReason: string | null;
  inReceived: number;
  outAt: number | null;
  outPosition: Position | null;
  outReceived: number | null;
  /** Whether its exceptions still need a review. */
  isOpenForReview: boolean;
  correction?: { originalIn: number | null; by: string; at: number; reason: string };
}

class Clock {
  readonly records: Attendance[] = [];
  readonly #random = new Random('attendance');
  readonly #now: number;

  constructor(
    calendar: Calendar,
    readonly positions: Positions,
    readonly oversight: Oversight,
  ) {
    this.#now = calendar.now.getTime();
  }

  /** Mostly near the site, sometimes elsewhere or unknown. */
  #position({ shift: { site } }: Assignment): Position | null {
    const random = this.#random;
    const kind = random.next();
    if (kind < 0.006) return null;
    return random.pick(kind < 0.014 ? this.positions.far(site) : this.positions.near(site));
  }

  /** Offline phones send later. */
  #received(at: number): number {
    const random = this.#random;
    const delay = random.chance(0.012) ? minutes(random.int(20, 300)) : random.int(1, 4) * SECOND;
    return Math.min(at + delay, this.#now);
  }

  /**
   * Nobody clocks in after loading. So that a demo that is left open for an hour has few guards missing, nearly all who
   * are due in that hour come early.
   */
  #inAt({ shift }: Assignment): number {
    const random = this.#random;
    const isLate = random.chance(0.08);
    const at =
      shift.start + (isLate ? minutes(random.int(3, 45)) : -random.int(20, 1_080) * SECOND);
    if (at <= this.#now || random.chance(0.03)) return at;
    return this.#now - minutes(random.int(1, 25));
  }

  #outAt({ shift }: Assignment): number {
    const random = this.#random;
    const kind = random.next();
    if (kind < 0.04) return shift.end + minutes(random.int(30, 170));
    if (kind < 0.055) return shift.end - minutes(random.int(5, 60));
    return shift.end + random.int(5, 900) * SECOND;
  }

  #correct(record: Attendance, by: Person): void {
    const random = this.#random;
    const { end } = record.assignment.shift;
    const at = end + minutes(random.int(45, 600));
    const correction = { originalIn: null, by: by.id, at, reason: random.pick(CORRECTION_REASONS) };
    if (random.chance(0.6)) {
      // A forgotten clock-out, corrected by a supervisor.
      Object.assign(record, { outAt: end, outPosition: null, outReceived: at, correction });
    } else {
      const originalIn = record.inAt + minutes(random.int(15, 90));
      record.correction = { ...correction, originalIn };
    }
  }

  /** @returns undefined for a no-show, or before the guard arrives */
  work(assignment: Assignment): void {
    const random = this.#random;
    const { shift } = assignment;
    const inAt = this.#inAt(assignment);
    if (inAt > this.#now) return;
    const inPosition = this.#position(assignment);
    const outAt = this.#outAt(assignment);
    const isOut = outAt <= this.#now;
    const record: Attendance = {
      id: idOf('attendance', this.records.length),
      assignment,
      inAt,
      inPosition,
      inReason: inPosition === null ? random.pick(NO_LOCATION_REASONS) : null,
      inReceived: this.#received(inAt),
      outAt: isOut ? outAt : null,
      outPosition: isOut ? this.#position(assignment) : null,
      outReceived: isOut ? this.#received(outAt) : null,
      isOpenForReview: shift.day > -REVIEWED_AFTER,
    };
    if (shift.day < -1 && random.chance(0.012))
      this.#correct(record, this.oversight.overseerOf(shift.site));
    assignment.attendance = isOut ? 'out' : 'in';
    this.records.push(record);
  }
}

/** No one can clock in while a record is open, so only a guard's last record can have a forgotten clock-out. */
function forget(records: readonly Attendance[], calendar: Calendar): void {
  const now = calendar.now.getTime();
  const last = new Map(records.map((record) => [record.assignment.guard, record]));
  const ended = [...last.values()].filter(
    ({ outAt, correction, assignment: { guard, shift } }) =>
      outAt !== null &&
      correction === undefined &&
      guard.left === undefined &&
      shift.end < now - 2 * HOUR &&
      shift.end > now - 72 * HOUR &&
      !/^guard2?@/.test(guard.email),
  );
  for (const record of new Random('forgotten').shuffled(ended).slice(0, FORGOTTEN)) {
    Object.assign(record, { outAt: null, outPosition: null, outReceived: null });
    record.assignment.attendance = 'in';
  }
}

/** Whether the guard is a no-show or simply has no record yet. */
function isMissing(assignment: Assignment, calendar: Calendar, random: Random): boolean {
  const { shift, guard } = assignment;
  const now = calendar.now.getTime();
  // guard@ has not clocked in yet, so that the demo can show it.
  if (guard.email.startsWith('guard@')) return shift.end > now;
  if (guard.email.startsWith('guard2@') || shift.end > now) return false;
  if (random.chance(0.0025)) {
    assignment.status = 'no_show';
    return true;
  }
  return shift.day >= -6 && random.chance(0.008);
}

/**
 * Sets the status and attendance state of the assignments.
 * @param assignments in order of their shifts' start
 */
export function makeAttendance(
  assignments: readonly Assignment[],
  positions: Positions,
  { oversight, calendar }: Pick<Company, 'oversight' | 'calendar'>,
): Attendance[] {
  const random = new Random('absence');
  const clock = new Clock(calendar, positions, oversight);
  for (const assignment of assignments) {
    if (assignment.status === 'cancelled') continue;
    if (assignment.shift.start - HOUR > calendar.now.getTime()) break;
    if (!isMissing(assignment, calendar, random)) clock.work(assignment);
  }
  forget(clock.records, calendar);
  for (const assignment of assignments) {
    if (assignment.attendance === 'out') assignment.status = 'completed';
  }
  return clock.records;
}
