import { describe, expect, test } from 'vitest';
import { makeAttendance, Positions } from './attendance.ts';
import { makeBusiness, Oversight } from './business.ts';
import { Calendar, HOUR } from './calendar.ts';
import { makeLeave } from './leave.ts';
import { makePeople } from './people.ts';
import { makeAssignments } from './roster.ts';
import { makeShifts } from './shifts.ts';

function loadedAt(time: string) {
  const calendar = new Calendar(new Date(time));
  const people = makePeople();
  const business = makeBusiness();
  const shifts = makeShifts(business.sites, calendar);
  const company = { people, business, oversight: new Oversight(people, business), calendar };
  const assignments = makeAssignments(shifts, makeLeave(people), company);
  makeAttendance(assignments, new Positions(business.sites), company);
  const of = (name: string) => assignments.filter(({ guard }) => guard === people.named(name));
  return { now: calendar.now.getTime(), of };
}

describe.each([0, 1, 2, 5, 6, 9, 13, 15, 16, 17, 18, 21, 23])(
  'demo guards, loaded at %d o’clock',
  (hour) => {
    const { now, of } = loadedAt(`2026-05-16T${String(hour).padStart(2, '0')}:20:00Z`);

    test.each(['guard', 'guard2'])('%s has exactly one shift that starts today', (name) => {
      expect(of(name).filter(({ shift }) => shift.day === 0)).toHaveLength(1);
    });

    test('guard@ is on a shift that can be clocked in on', () => {
      const open = of('guard').filter(
        ({ shift }) => shift.start - 4 * HOUR <= now && now < shift.end,
      );
      expect(open.map(({ attendance }) => attendance)).toContain('none');
      expect(of('guard').every(({ attendance }) => attendance !== 'in')).toBe(true);
    });

    test('one of the two works by day, the other by night', () => {
      const turns = new Set([...of('guard'), ...of('guard2')].map(({ shift }) => shift.turn));
      const [first] = of('guard');
      expect(turns).toEqual(new Set([0, 1]));
      expect(of('guard').every(({ shift }) => shift.turn === first?.shift.turn)).toBe(true);
    });
  },
);
