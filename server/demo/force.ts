// Assigns guards to duties: a regular for every post, and relief guards within each region.
import type { Calendar } from './calendar.ts';
import type { Business, Site } from './clients-and-sites.ts';
import { REGIONS, type Region } from './data.ts';
import type { People, Person } from './people.ts';

export interface Duty {
  guard: Person;
  /** A regular's day off, 0 for Sunday. */
  dayOff: number;
  /** End of the rest period after the last shift, in milliseconds since 1970. */
  freeFrom: number;
  /** Number of shifts by calendar week. */
  weeks: Map<number, number>;
}

export interface Force {
  /** By post. */
  regulars: Map<string, Duty>;
  relief: Map<Region, Duty[]>;
}

/** @param seat from 0 within the turn; 0 is the shift commander */
export const postOf = (site: Site, turn: number, seat: number): string =>
  `${site.id}/${turn}/${seat}`;

/**
 * guard@ and guard2@ work at the busiest site, one by day and one by night.
 * guard@ has the turn that allows clocking in at the hour of loading, so that a demo can always show it.
 */
function demoPosts(business: Business, people: People, calendar: Calendar): Map<string, Person> {
  const hour = calendar.hourNow;
  const isByNight = hour >= 16 || hour < 2;
  const post = (turn: number): string => postOf(business.busiest, turn, 1);
  return new Map([
    [post(isByNight ? 1 : 0), people.named('guard')],
    [post(isByNight ? 0 : 1), people.named('guard2')],
  ]);
}

/** Distributes relief guards over the regions in proportion to their posts. */
function shareOut(guards: readonly Duty[], posts: ReadonlyMap<Region, number>): Force['relief'] {
  const relief = new Map<Region, Duty[]>(REGIONS.map((region) => [region, []]));
  const need = (region: Region): number =>
    (posts.get(region) ?? 0) / ((relief.get(region)?.length ?? 0) + 1);
  for (const duty of guards) {
    const neediest = REGIONS.reduce((most, region) => (need(region) > need(most) ? region : most));
    relief.get(neediest)?.push(duty);
  }
  return relief;
}

/** @throws Error when there are more posts than guards */
export function makeForce(business: Business, people: People, calendar: Calendar): Force {
  const duty = (guard: Person, dayOff: number): Duty => ({
    guard,
    dayOff,
    freeFrom: 0,
    weeks: new Map(),
  });
  const demo = demoPosts(business, people, calendar);
  const waiting = people.guards.filter((guard) => ![...demo.values()].includes(guard));
  const regulars = new Map<string, Duty>();
  const posts = new Map<Region, number>();
  for (const site of business.sites) {
    const { region } = site.place;
    posts.set(region, (posts.get(region) ?? 0) + site.turns.reduce((sum, seats) => sum + seats, 0));
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
