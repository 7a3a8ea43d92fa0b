import { describe, expect, test } from 'vitest';
import { Calendar, HOUR } from '../calendar.ts';
import { makeBusiness, Oversight } from '../clients/business.ts';
import { makeAttendance, Positions } from '../clocking/attendance.ts';
import { makeLeave } from '../leave/leave.ts';
import { makeCertificates } from '../people/certifications.ts';
import { makePeople, type Person } from '../people/people.ts';
import { makeShifts, type Shift } from '../shifts/shifts.ts';
import { makeRoster } from './roster.ts';

/** Depends only on the day of loading, so it is made once for all hours of it. */
const ofDay = new Map<string, ReturnType<typeof makeDay>>();

function makeDay(calendar: Calendar) {
  const people = makePeople();
  const business = makeBusiness(calendar);
  const shifts = makeShifts(business.sites, calendar);
  const oversight = new Oversight(people, business);
  const positions = new Positions(business.sites);
  const [leave, certificates] = [makeLeave(people), makeCertificates(people)];
  return { people, business, shifts, oversight, positions, leave, certificates };
}

function loadedAt(time: string) {
  const calendar = new Calendar(new Date(time));
  const date = calendar.date(0);
  const day = ofDay.get(date) ?? makeDay(calendar);
  ofDay.set(date, day);
  const company = { ...day, calendar };
  const roster = makeRoster(day.shifts, day.leave, day.certificates, company);
  makeAttendance(roster.assignments, day.positions, company);
  const of = (name: string) =>
    roster.assignments.filter(({ guard }) => guard === day.people.named(name));
  return { ...day, now: calendar.now.getTime(), of, roster, calendar };
}

describe.each([0, 1, 2, 5, 6, 9, 13, 15, 16, 17, 18, 21, 23])(
  'demo guards, loaded at %d o’clock',
  (hour) => {
    const { now, of, roster } = loadedAt(`2026-05-16T${String(hour).padStart(2, '0')}:20:00Z`);

    test.each(['guard', 'guard2'])('%s has exactly one shift that starts today', (name) => {
      expect(of(name).filter(({ shift }) => shift.day === 0)).toHaveLength(1);
    });

    test.each(['guard', 'guard2'])('%s works yesterday, today and the next two days', (name) => {
      const days = of(name).map(({ shift }) => shift.day);
      expect(days).toEqual(expect.arrayContaining([-1, 0, 1, 2]));
    });

    test('guard@ is on a shift that can be clocked in on', () => {
      const open = of('guard').filter(
        ({ shift }) => shift.start - 4 * HOUR <= now && now < shift.end,
      );
      expect(open.map(({ attendance }) => attendance)).toContain('none');
      expect(of('guard').every(({ attendance }) => attendance !== 'in')).toBe(true);
    });

    test('few guards are missing an hour after loading, because nobody clocks in until then', () => {
      const due = roster.assignments.filter(
        ({ shift, status }) =>
          status !== 'cancelled' && shift.start > now - HOUR && shift.start <= now + HOUR,
      );
      const absent = due.filter(({ attendance }) => attendance === 'none');
      expect(absent.length).toBeLessThanOrEqual(8);
    });

    test('one of the two works by day, the other by night', () => {
      const turns = new Set([...of('guard'), ...of('guard2')].map(({ shift }) => shift.turn));
      const [first] = of('guard');
      expect(turns).toEqual(new Set([0, 1]));
      expect(of('guard').every(({ shift }) => shift.turn === first?.shift.turn)).toBe(true);
    });
  },
);

describe.each(['2026-11-22T12:00:00Z', '2026-11-23T03:00:00Z', '2027-01-01T20:00:00Z'])(
  'the whole roster, loaded at %s, is lawful',
  (time) => {
    const { roster, leave, certificates, calendar, people } = loadedAt(time);
    const works = [
      ...roster.assignments.filter(({ status }) => status !== 'cancelled'),
      ...roster.drafted,
    ];
    const byGuard = new Map<Person, Shift[]>();
    for (const { guard, shift } of works) {
      byGuard.set(guard, [...(byGuard.get(guard) ?? []), shift]);
    }
    const people_ = [...byGuard].map(([guard, shifts]) => ({
      guard,
      shifts: shifts.sort((a, b) => a.start - b.start),
    }));
    const DAY = 24 * HOUR;
    // Liberia is on UTC all year; 5 January 1970 was a Monday.
    const weekOf = (ms: number): number => Math.floor((ms - 4 * DAY) / (7 * DAY));
    const mondayOf = (week: number): number => week * 7 * DAY + 4 * DAY;

    test('twelve hours of rest', () => {
      for (const { shifts } of people_) {
        shifts.slice(1).forEach((shift, i) => {
          expect(shift.start - (shifts[i]?.end ?? 0)).toBeGreaterThanOrEqual(12 * HOUR);
        });
      }
    });

    test('at most 53 hours a week, and rarely more than 48', () => {
      const weeks: number[] = [];
      for (const { shifts } of people_) {
        const hours = new Map<number, number>();
        for (const { start, end } of shifts) {
          hours.set(weekOf(start), (hours.get(weekOf(start)) ?? 0) + (end - start) / HOUR);
        }
        weeks.push(...hours.values());
      }
      expect(Math.max(...weeks)).toBeLessThanOrEqual(53);
      expect(weeks.filter((hours) => hours > 48).length / weeks.length).toBeLessThan(0.01);
    });

    test('36 hours of rest in each week from Monday', () => {
      for (const { shifts } of people_) {
        const weeks = new Set(shifts.flatMap(({ start, end }) => [weekOf(start), weekOf(end)]));
        for (const week of weeks) {
          const [from, to] = [mondayOf(week), mondayOf(week + 1)];
          let free = from;
          let longest = 0;
          for (const { start, end } of shifts) {
            if (end <= from || start >= to) continue;
            longest = Math.max(longest, start - free);
            free = end;
          }
          expect(Math.max(longest, to - free)).toBeGreaterThanOrEqual(36 * HOUR);
        }
      }
    });

    test('six days and four nights in a row', () => {
      const longest = (days: number[]): number => {
        const worked = new Set(days);
        let most = 0;
        for (const day of worked) {
          let run = 1;
          while (worked.has(day + run)) run += 1;
          most = Math.max(most, run);
        }
        return most;
      };
      for (const { shifts } of people_) {
        const dayOf = ({ start }: Shift): number => Math.floor(start / DAY);
        // Under way at 2 AM of the next day.
        const nights = shifts.filter((shift) => shift.end > (dayOf(shift) + 1) * DAY + 2 * HOUR);
        expect(longest(shifts.map(dayOf))).toBeLessThanOrEqual(6);
        expect(longest(nights.map(dayOf))).toBeLessThanOrEqual(4);
      }
    });

    test('nobody on leave, gone, of another gender or without the certificate', () => {
      for (const { guard, shift } of works) {
        const { post, day } = shift;
        const last = Math.ceil((shift.end - calendar.at(0, 0)) / DAY) - 1;
        const away = leave.filter(
          (one) =>
            one.person === guard &&
            one.status === 'approved' &&
            one.first <= last &&
            day <= one.last,
        );
        expect(away).toEqual([]);
        expect(day).toBeLessThanOrEqual(guard.left ?? Infinity);
        if (post.gender !== undefined) expect(guard.gender).toBe(post.gender);
        if (post.course === undefined) continue;
        const held = certificates.find(
          ({ person, course }) => person === guard && course === post.course,
        );
        expect(held?.expires).toBeGreaterThan(last);
      }
    });

    test('nearly every seat is filled, and a handful of next week’s are not', () => {
      const next = calendar.monday(1);
      const open = roster.gaps.filter(({ day }) => day >= next);
      expect(open.length).toBeGreaterThanOrEqual(2);
      expect(open.length).toBeLessThanOrEqual(20);
      expect(roster.gaps.length).toBeLessThan(works.length * 0.01);
      expect(roster.drafted.length).toBeGreaterThan(1_500);
      const busy = people_.filter(({ guard }) => guard.left === undefined);
      expect(busy.length).toBeGreaterThan(people.guards.length * 0.95);
    });
  },
);
