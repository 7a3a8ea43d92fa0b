// Who works where: the guards of each place, relief for all, and shifts that nobody was found for.
import { Random } from '#demo/random.ts';
import { DAY, dayAt, dayOf, type Frequency, isSunday, weekOf } from '../company-month/calendar.ts';
import { dutiesOf, type PatternName } from '../company-month/roster.ts';
import { clients } from './clients.ts';
import type { Company, Guard, Place, PlacedDuty, Shift } from './facts.ts';

/** Whole weeks around the quarter, because limits are of weeks. */
export const ROSTER_FROM = dayOf('2025-10-27');
export const ROSTER_TO = dayOf('2026-02-04');
const RELIEF = 6;
/** Every which place has a second guard, and a shift on Sundays that is not assigned. */
const SECOND_GUARD = 5;
const EMPTY_SHIFT = 9;
/** Everybody has every which week off. */
const WEEKS = 5;
const WEEKS_OFF = 3;

const FREQUENCIES: Frequency[] = ['weekly', 'bi-weekly', 'monthly', 'monthly', 'monthly'];

function guardOf(number: number, placeOf: (random: Random) => Place, pattern?: PatternName): Guard {
  const random = new Random(`quarter/guard/${number}`);
  const works =
    pattern ??
    random.among<PatternName>({
      longDays: 3,
      sixLongDays: 2,
      fourNights: 4,
      lateNights: 4,
      sixNights: 2,
      shortNights: 2,
      officeDays: 2,
      everyDay: 2,
      evenings: 2,
      splitDays: 1,
      relief: 0,
    });
  return {
    number,
    id: crypto.randomUUID(),
    name: `Guard ${String(number).padStart(3, '0')}`,
    frequency: FREQUENCIES[number % FREQUENCIES.length] ?? 'monthly',
    isLate: number % 9 === 4,
    duties: dutiesOf(works, ROSTER_FROM, ROSTER_TO, [], random)
      .filter(({ from }) => (weekOf(dayAt(from)) + number) % WEEKS >= WEEKS_OFF)
      .map((duty) => ({ ...duty, place: placeOf(random) })),
  };
}

function shiftsOf(guards: Guard[], places: Place[]): Shift[] {
  const random = new Random('quarter/shifts');
  const shifts = new Map<Place, Map<string, Shift>>(places.map((place) => [place, new Map()]));
  const at = (place: Place, from: number, to: number, duty?: PlacedDuty) => {
    const own = shifts.get(place) ?? new Map<string, Shift>();
    const shift = own.get(`${from} ${to}`) ?? {
      id: crypto.randomUUID(),
      place,
      from,
      to,
      headcount: 0,
      duties: [],
    };
    own.set(`${from} ${to}`, shift);
    if (duty) shift.duties.push(duty);
  };
  for (const duty of guards.flatMap(({ duties }) => duties))
    at(duty.place, duty.from, duty.to, duty);
  places.forEach((place, index) => {
    if (index % EMPTY_SHIFT !== 0) return;
    for (let day = ROSTER_FROM; day <= ROSTER_TO; day += 1)
      if (isSunday(day)) at(place, day * DAY + 7 * 60, day * DAY + 17 * 60);
  });
  const all = [...shifts.values()].flatMap((own) => [...own.values()]);
  // Now and then one guard more is required than was found.
  for (const shift of all)
    shift.headcount = Math.max(1, shift.duties.length + (random.chance(0.06) ? 1 : 0));
  return all;
}

/** The same company each time, but for its ids. */
export function company(): Company {
  const all = clients();
  const places = all.flatMap((client) => client.places);
  const homes = places.flatMap((place, index) =>
    index % SECOND_GUARD === 0 ? [place, place] : [place],
  );
  const guards = [
    ...homes.map((place, number) => guardOf(number, () => place)),
    ...Array.from({ length: RELIEF }, (_, index) =>
      guardOf(homes.length + index, (random) => random.pick(places), 'relief'),
    ),
  ];
  return { clients: all, guards, shifts: shiftsOf(guards, places) };
}
