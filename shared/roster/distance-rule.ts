import { REACH_KM } from '#shared/database.limits.ts';
import { metresBetween } from '#shared/distance.ts';
import type { RosterInput, RosterPerson } from './input.ts';

type Site = RosterInput['sites'][number];

const COUNTRIES: Readonly<Record<string, string>> = {
  'Africa/Lagos': 'Nigeria',
  'Africa/Accra': 'Ghana',
};
/** Of a place in Liberia whose county is not known. */
const LIBERIA = 'Liberia';

const regionOf = (county: string | null, zone: string): string =>
  county ?? COUNTRIES[zone] ?? LIBERIA;

const isAbroad = (region: string): boolean => Object.values(COUNTRIES).includes(region);

/** Also if they may be as far as is known. */
const isSameRegion = (one: string, other: string): boolean =>
  one === other || ((one === LIBERIA || other === LIBERIA) && !isAbroad(one) && !isAbroad(other));

/** As the crow flies; null where a position is missing. */
export function metresFromHome(person: RosterPerson, site: Site | undefined): number | null {
  if (person.home === null || site?.latitude == null || site.longitude == null) return null;
  const [latitude, longitude] = person.home;
  return metresBetween(
    { latitude, longitude },
    { latitude: site.latitude, longitude: site.longitude },
  );
}

/** Why a person lives too far from a site, as private.distance_problem; null if near enough. */
export function distanceProblem(person: RosterPerson, site: Site): string | null {
  const metres = metresFromHome(person, site);
  const limits = [person.max_distance_km, site.max_distance_km].filter((limit) => limit !== null);
  let most = limits.length > 0 ? Math.min(...limits) : null;
  if (metres === null || most === null) {
    const { home_region } = person;
    const region = regionOf(site.county, site.zone);
    if (home_region === null ? metres === null : isSameRegion(home_region, region)) return null;
    if (metres === null) return `Lives in ${home_region}, not in ${region}`;
    most = REACH_KM;
  }
  return metres > most * 1000
    ? `Lives ${Math.ceil(metres / 1000)} km away, ${most} km at most`
    : null;
}
