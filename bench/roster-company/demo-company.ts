// A security company like the demo's, from a seed: 90 sites around a city, 520 guards with homes, sites that they know,
// certificates, leave, wishes and a fortnight of past shifts, and a week of shifts without guards.

import { randomFrom } from '#shared/roster/arrays.ts';
import type { RosterInput, RosterPerson } from '#shared/roster/input.ts';
import { DEFAULT_RULES } from '#tests/support/roster-company.ts';

const MONDAY = '2026-11-23';
const ZONE = 'Africa/Monrovia';
const FIRST_MINUTE = Date.parse(`${MONDAY}T00:00Z`) / 60_000;
const DAY = 1440;
const CENTRE = [6.3, -10.79] as const;
const DEGREES_OF_KM = 1 / 111;

interface Slot {
  days: readonly number[];
  hour: number;
  hours: number;
}

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
const WEEKDAYS = [0, 1, 2, 3, 4];
const PATTERNS: readonly (readonly [number, readonly Slot[]])[] = [
  [
    0.55,
    [
      { days: EVERY_DAY, hour: 6, hours: 12 },
      { days: EVERY_DAY, hour: 18, hours: 12 },
    ],
  ],
  [
    0.15,
    [
      { days: EVERY_DAY, hour: 6, hours: 8 },
      { days: EVERY_DAY, hour: 14, hours: 8 },
      { days: EVERY_DAY, hour: 22, hours: 8 },
    ],
  ],
  [0.18, [{ days: EVERY_DAY, hour: 18, hours: 12 }]],
  [0.12, [{ days: WEEKDAYS, hour: 8, hours: 9 }]],
];

export interface DemoSize {
  guards: number;
  sites: number;
  seats: number;
}

export const FULL_SIZE: DemoSize = { guards: 520, sites: 90, seats: 1400 };

export function demoCompany(seed: number, size: DemoSize = FULL_SIZE): RosterInput {
  const random = randomFrom(seed);
  const chance = (share: number) => random() < share;
  const between = (least: number, most: number) =>
    least + Math.floor(random() * (most - least + 1));
  /** A normal deviate (Box and Muller 1958). */
  const normal = () =>
    Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  const place = (km: number): [number, number] => [
    CENTRE[0] + normal() * km * DEGREES_OF_KM,
    CENTRE[1] + normal() * km * DEGREES_OF_KM,
  ];

  const sites = Array.from({ length: size.sites }, (_, number) => {
    const [latitude, longitude] = place(6);
    const id = `site-${number}`;
    return {
      id,
      name: id,
      client: 'client',
      zone: ZONE,
      latitude,
      longitude,
      county: null,
      max_distance_km: null,
      supervisors: [],
    };
  });
  const posts: RosterInput['posts'] = [];
  const shifts: RosterInput['shifts'] = [];
  for (let seats = 0; seats < size.seats; ) {
    const site = posts.length < sites.length ? posts.length : between(0, sites.length - 1);
    const slots = pickPattern(random());
    const headcount = chance(0.12) ? 2 : 1;
    const post = {
      id: `post-${posts.length}`,
      site_id: `site-${site}`,
      name: 'Gate',
      gender: chance(0.02) ? 'female' : null,
      lone_worker: headcount === 1,
      needs_induction: chance(0.2),
      courses: [...(chance(0.25) ? ['first-aid'] : []), ...(chance(0.06) ? ['control-room'] : [])],
    };
    posts.push(post);
    for (const { days, hour, hours } of slots) {
      for (const day of days) {
        const start = FIRST_MINUTE + day * DAY + hour * 60;
        shifts.push({
          id: `${post.id}-${day}-${hour}`,
          site_id: post.site_id,
          post_id: post.id,
          start,
          end: start + hours * 60,
          headcount,
          notes: null,
          is_manual: false,
        });
        seats += headcount;
      }
    }
  }

  const people = Array.from({ length: size.guards }, (_, number): RosterPerson => {
    const home = place(7);
    const near = [...sites]
      .sort(
        (a, b) =>
          Math.hypot(a.latitude - home[0], a.longitude - home[1]) -
          Math.hypot(b.latitude - home[0], b.longitude - home[1]),
      )
      .slice(0, 12);
    const known = Array.from(
      { length: between(1, 4) },
      () => near[between(0, near.length - 1)]?.id,
    );
    const knownIds = known.filter((id) => id !== undefined);
    const from = between(0, 6);
    const expires = (share: number, course: string): [string, number][] =>
      chance(share) ? [[course, FIRST_MINUTE + between(-5, 300) * DAY]] : [];
    return {
      id: `guard-${number}`,
      name: `Guard ${number}`,
      gender: chance(0.13) ? 'female' : 'male',
      home: chance(0.95) ? home : null,
      home_region: null,
      max_distance_km: null,
      phone: null,
      certificates: Object.fromEntries([
        ...expires(0.6, 'first-aid'),
        ...expires(0.25, 'control-room'),
      ]),
      leave: chance(0.06)
        ? [[`2026-11-${23 + from}`, `2026-11-${Math.min(29, 23 + from + between(0, 5))}`]]
        : [],
      wishes: chance(0.15)
        ? [
            {
              kind: chance(0.5) ? 'unavailable' : chance(0.5) ? 'avoid' : 'prefer',
              weekday: between(0, 6),
              from: null,
              to: null,
              part: chance(0.5) ? null : chance(0.5) ? 'day' : 'night',
            },
          ]
        : [],
      banned: chance(0.03) ? [`site-${between(0, sites.length - 1)}`] : [],
      inducted: [...knownIds, ...sites.filter(() => chance(0.3)).map(({ id }) => id)],
      known: Object.fromEntries(knownIds.map((id) => [id, between(1, 40)])),
      past: {
        hours: Math.max(0, 125 + 15 * normal()),
        nights: between(0, 10),
        sundays: between(0, 3),
      },
      outside: pastDuties(between(0, 6), chance(0.5)),
    };
  });

  return {
    from: MONDAY,
    to: '2026-11-29',
    zone: ZONE,
    rules: DEFAULT_RULES,
    holidays: [],
    sites,
    courses: [
      { id: 'first-aid', title: 'First aid' },
      { id: 'control-room', title: 'Control room' },
    ],
    posts,
    shifts,
    people,
    assignments: [],
    changes: [],
    pins: [],
    periods: [],
  };
}

function pickPattern(share: number): readonly Slot[] {
  let rest = share;
  for (const [weight, slots] of PATTERNS) {
    rest -= weight;
    if (rest < 0) return slots;
  }
  return [];
}

/** Four shifts on, three days off, in the fortnight before. */
function pastDuties(phase: number, isNight: boolean): [number, number][] {
  const duties: [number, number][] = [];
  for (let day = -14; day < 0; day++) {
    if ((day + 14 + phase) % 7 >= 4) continue;
    const start = FIRST_MINUTE + day * DAY + (isNight ? 18 : 6) * 60;
    duties.push([start, start + 720]);
  }
  return duties;
}
