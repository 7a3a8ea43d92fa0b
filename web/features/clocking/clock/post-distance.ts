// How far the guard is from the post, by the rule of the database: farther than the radius is outside the geofence.
import { metresBetween } from '#shared/distance.ts';
import type { Position } from '#web/lib/position/locate.ts';
import type { ClockShift } from './clock-event.ts';

type Where = Pick<Position, 'latitude' | 'longitude' | 'accuracy'>;
type Post = Pick<ClockShift, 'latitude' | 'longitude' | 'geofence_radius_m'>;

/** @returns whole metres; undefined if the site has no position */
export function distanceFrom(
  post: Post,
  position: Pick<Position, 'latitude' | 'longitude'>,
): number | undefined {
  const { latitude, longitude } = post;
  if (latitude === null || longitude === null) return undefined;
  return metresBetween({ latitude, longitude }, position);
}

/** A post without a position or a radius has no fence. */
export function isOutsideFence(post: Post, position: Where): boolean {
  const distance = distanceFrom(post, position);
  return distance !== undefined && distance > (post.geofence_radius_m ?? Number.POSITIVE_INFINITY);
}

/** @returns for example "35 m" or "1.4 km" */
export function formatDistance(metres: number): string {
  return metres < 1000 ? `${metres} m` : `${(metres / 1000).toFixed(metres < 99_950 ? 1 : 0)} km`;
}
