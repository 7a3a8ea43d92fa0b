// How far the guard is from the post, by the rule of the database: farther than the radius is outside the geofence.
import type { Position } from '#web/lib/position/locate.ts';
import type { ClockShift } from './clock-event.ts';

/** Mean radius of the earth, metres; the same as in private.distance_m. */
const EARTH_M = 6_371_008.8;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

type Post = Pick<ClockShift, 'latitude' | 'longitude' | 'geofence_radius_m'>;

/** @returns whole metres; undefined if the site has no position */
export function distanceFrom(
  post: Post,
  position: Pick<Position, 'latitude' | 'longitude'>,
): number | undefined {
  if (post.latitude === null || post.longitude === null) return undefined;
  const north = Math.sin(radians(position.latitude - post.latitude) / 2) ** 2;
  const east = Math.sin(radians(position.longitude - post.longitude) / 2) ** 2;
  const scale = Math.cos(radians(post.latitude)) * Math.cos(radians(position.latitude));
  return Math.round(2 * EARTH_M * Math.asin(Math.sqrt(Math.min(1, north + scale * east))));
}

/** A post without a position or a radius has no fence. */
export function isOutsideFence(post: Post, position: Position): boolean {
  const distance = distanceFrom(post, position);
  return distance !== undefined && distance > (post.geofence_radius_m ?? Number.POSITIVE_INFINITY);
}

/** @returns for example "35 m" or "1.4 km" */
export function formatDistance(metres: number): string {
  return metres < 1000 ? `${metres} m` : `${(metres / 1000).toFixed(metres < 99_950 ? 1 : 0)} km`;
}
