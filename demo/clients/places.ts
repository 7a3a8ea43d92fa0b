import clients from './clients.json' with { type: 'json' };
import places from './places.json' with { type: 'json' };

/** `busiestSite` is where supervisor@, guard@ and guard2@ work. */
export const { busiestSite: BUSIEST_SITE } = clients;
/** Guards are alone at their posts there, and are asked whether all is well: seldom, because nobody answers in a demo. */
export const LONE_SITES: readonly string[] = [
  'Nimba Ridge Rail Siding',
  'Farmington Latex Store',
  'Hope Bridge Store, Zwedru',
];
export const WELFARE_MINUTES = 180;
export const { streets: STREETS } = places;

/** Degrees, far enough inland that a site nearby is not in the sea. `address` is the end of an address there. */
export type Place = (typeof places.places)[keyof typeof places.places];
const PLACES: Readonly<Record<string, Place>> = places.places;
/** Guards are relieved only by guards of the same region. */
export const REGIONS = [...new Set(Object.values(PLACES).map(({ region }) => region))];

/** @throws Error for a name that is not in places.json */
export function placeOf(name: string): Place {
  const place = PLACES[name];
  if (place === undefined) throw new Error(`Unknown place ${name}`);
  return place;
}
