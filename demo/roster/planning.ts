// The draft of next week, published weeks, bans, inductions, wishes, and where guards live.

import { REACH_KM } from '../../shared/database.limits.ts';
import { metresBetween, type Point } from '../../shared/distance.ts';
import { HOUR, iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { LONE_SITES } from '../clients/places.ts';
import type { Site } from '../clients/site.ts';
import { insertRows } from '../insert-rows.ts';
import { idOf, Random } from '../random.ts';
import type { DutyBook } from './duty-book.ts';
import planningData from './planning.json' with { type: 'json' };
import type { Roster } from './roster.ts';

const { availabilityNotes: AVAILABILITY_NOTES, banReasons: BAN_REASONS } = planningData;

const PUBLISHED_WEEKS = 8;
const BANS = 9;
const WITH_WISHES = 42;
/** Degrees: guards live within about 8 km of the place where they work most. */
const AROUND = 0.07;

async function insertDraft({ drafted }: Roster, { client, people, calendar }: Loading) {
  const by = people.named('ops').id;
  const at = calendar.past(calendar.now.getTime() - 3 * HOUR);
  await insertRows(
    client,
    'roster_changes',
    drafted.map(({ shift, guard }, number) => ({
      id: idOf('roster change', number),
      shift_id: shift.id,
      user_id: guard.id,
      change: 'assign',
      site_id: shift.site.id,
      period: `[${iso(shift.start)},${iso(shift.end)})`,
      created_by: by,
      created_at: at,
    })),
  );
  const weeks = Array.from({ length: PUBLISHED_WEEKS + 2 }, (_, index) => index - PUBLISHED_WEEKS);
  await insertRows(
    client,
    'roster_periods',
    weeks.map((week, number) => {
      const isPublished = week <= 0;
      const published = calendar.past(calendar.at(calendar.monday(week) - 3, 15));
      return {
        id: idOf('roster period', number),
        starts_on: calendar.date(calendar.monday(week)),
        state: isPublished ? 'published' : 'draft',
        published_at: isPublished ? published : null,
        published_by: isPublished ? by : null,
        publications: isPublished ? 1 : 0,
        created_at: isPublished ? published : at,
        updated_at: isPublished ? published : at,
      };
    }),
  );
}

/** Where guards have worked, they have been shown around. */
async function insertInductions(books: readonly DutyBook[], { client, calendar, people }: Loading) {
  const random = new Random('inductions');
  const rows = books.flatMap(({ guard, sites }) =>
    [...sites.keys()].map((site_id) => {
      const day = Math.max(guard.joined + 1, -random.int(150, 160));
      return { site_id, user_id: guard.id, inducted_on: calendar.date(day), day };
    }),
  );
  const created_by = people.named('ops').id;
  await insertRows(
    client,
    'site_inductions',
    rows.map(({ day, ...row }, number) => ({
      id: idOf('induction', number),
      ...row,
      created_by,
      created_at: iso(calendar.at(day, 17)),
    })),
  );
}

async function insertBans(
  books: readonly DutyBook[],
  { client, calendar, people, business }: Loading,
) {
  const random = new Random('bans');
  const present = books.filter(({ guard }) => guard.left === undefined);
  const rows = Array.from({ length: BANS }, (_, number) => {
    const site = business.sites[number * 7];
    const elsewhere = present.filter(({ sites }) => site !== undefined && !sites.has(site.id));
    return {
      id: idOf('ban', number),
      site_id: site?.id ?? null,
      user_id: random.pick(elsewhere).guard.id,
      reason: random.pick(BAN_REASONS),
      created_by: people.named('ops').id,
      created_at: iso(calendar.at(-random.int(8, 140), 11)),
    };
  });
  await insertRows(client, 'site_bans', rows);
}

async function insertAvailability({ client, calendar, people }: Loading) {
  const random = new Random('availability');
  const guards = people.guards.filter(({ left }) => left === undefined);
  const rows = random
    .shuffled(guards)
    .slice(0, WITH_WISHES)
    .map((guard) => {
      const kind = random.among({ prefer: 40, avoid: 40, unavailable: 20 });
      const from = calendar.monday(1) + random.int(3, 30);
      const isOnce = kind === 'unavailable';
      const created = calendar.past(calendar.at(-random.int(1, 60), 19));
      return {
        user_id: guard.id,
        kind,
        weekday: isOnce ? null : random.pick([4, 5, 6, 6]),
        from_day: isOnce ? calendar.date(from) : null,
        to_day: isOnce ? calendar.date(from + random.int(0, 2)) : null,
        part: random.pick(['day', 'night', null]),
        note: random.chance(0.6) ? random.pick(AVAILABILITY_NOTES[kind]) : null,
        created_at: created,
        updated_at: created,
      };
    });
  await insertRows(
    client,
    'availability',
    rows.map((row, number) => ({ id: idOf('availability', number), ...row })),
  );
}

/** How far guards work who are called farther than the default reach. */
function limitOf(home: Point, county: string, sites: readonly Site[]): number | null {
  const kilometres = sites
    .filter((site) => site.place.county !== county)
    .map((site) => metresBetween(home, site) / 1000);
  const farthest = Math.max(0, ...kilometres);
  if (farthest <= REACH_KM) return null;
  const all = sites.map((site) => metresBetween(home, site) / 10_000);
  return Math.ceil(Math.max(...all)) * 10;
}

/** Near the site where the guard works most; of some only the county is known. */
async function updateProfiles(books: readonly DutyBook[], { client, business, people }: Loading) {
  const random = new Random('homes');
  const siteById = new Map(business.sites.map((site): [string, Site] => [site.id, site]));
  const homes = books.flatMap(({ guard, sites }) => {
    const [most] = [...sites].sort((a, b) => b[1] - a[1]);
    const site = siteById.get(most?.[0] ?? '');
    if (site === undefined) return [];
    const hasNotTold = random.chance(0.08);
    const near = (degrees: number) =>
      Number((degrees + (random.next() - 0.5) * 2 * AROUND).toFixed(4));
    const home = { latitude: near(site.latitude), longitude: near(site.longitude) };
    const { county } = site.place;
    const worked = [...sites.keys()].flatMap((id) => siteById.get(id) ?? []);
    const isFromCounty = worked.every(({ place }) => place.county === county);
    return [
      {
        id: guard.id,
        county,
        home: hasNotTold && isFromCounty ? undefined : home,
        limit: limitOf(home, county, worked),
      },
    ];
  });
  const homeOf = new Map(homes.map((home) => [home.id, home]));
  const { everyone } = people;
  await client.query(
    `update public.profiles p
     set gender = r.gender, home_position = r.home, home_region = r.region, max_distance_km = r.most
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::integer[]) r (id, gender, home, region, most)
     where p.id = r.id`,
    [
      everyone.map(({ id }) => id),
      everyone.map(({ gender }) => gender),
      everyone.map(({ id }) => {
        const home = homeOf.get(id)?.home;
        return home ? `${home.latitude},${home.longitude}` : null;
      }),
      everyone.map(({ id }) => homeOf.get(id)?.county ?? null),
      everyone.map(({ id }) => homeOf.get(id)?.limit ?? null),
    ],
  );
}

/** @param courses ids by title */
export async function insertPosts(
  courses: ReadonlyMap<string, string>,
  { client, business, calendar }: Loading,
): Promise<void> {
  const posts = business.sites.flatMap(({ posts: ofSite }) => ofSite);
  await insertRows(
    client,
    'posts',
    posts.map((post) => ({
      id: post.id,
      site_id: post.site.id,
      name: post.name,
      headcount: post.guards,
      gender: post.gender ?? null,
      gender_reason: post.genderReason ?? null,
      lone_worker: LONE_SITES.includes(post.site.name),
      needs_induction: post.needsInduction,
      valid_from: calendar.date(post.site.client.since),
      created_at: iso(calendar.at(post.site.client.since, 12)),
    })),
  );
  const requirements = posts.flatMap((post) =>
    post.requirements.map(({ id, preset, cycle, from, to }) => ({
      id,
      post_id: post.id,
      site_id: post.site.id,
      preset,
      cycle_days: cycle.cycle_days,
      valid_from: calendar.date(from),
      valid_to: to === Infinity ? null : calendar.date(to),
      slots: JSON.stringify(cycle.slots),
      created_at: iso(calendar.at(post.site.client.since, 12)),
    })),
  );
  await insertRows(client, 'post_requirements', requirements);
  const needed = posts.flatMap(({ id, site, course }) => {
    const course_id = courses.get(course ?? '');
    return course_id === undefined ? [] : [{ post_id: id, site_id: site.id, course_id }];
  });
  await insertRows(
    client,
    'post_courses',
    needed.map((row, number) => ({ id: idOf('post course', number), ...row })),
  );
}

export async function insertPlanning(roster: Roster, company: Loading): Promise<void> {
  const { books } = roster;
  await insertDraft(roster, company);
  await insertInductions(books, company);
  await insertBans(books, company);
  await insertAvailability(company);
  await updateProfiles(books, company);
}
