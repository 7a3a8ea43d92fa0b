// How far the guard is from the post, and how well the phone knows it, by the rules of the database (private.flags_of_event).
import * as limits from '#shared/database.limits.ts';
import { metresBetween } from '#shared/distance.ts';
import { ageOf, type Position } from '#web/lib/position/locate.ts';
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

/** For certain: with the accuracy in the guard's favour. A post without a position or a radius has no fence. */
export function isOutsideFence(post: Post, position: Where): boolean {
  const distance = distanceFrom(post, position);
  if (distance === undefined) return false;
  return distance - position.accuracy > (post.geofence_radius_m ?? Number.POSITIVE_INFINITY);
}

/** It heard a mast or a network, no satellites. */
export const isImprecise = ({ accuracy }: Pick<Position, 'accuracy'>): boolean =>
  accuracy > limits.IMPRECISE_FROM_M;

/** It says nothing of where the guard is now. */
export const isOld = (position: Position): boolean =>
  ageOf(position) > limits.LOCATION_VALIDITY_MINUTES * 60_000;

/** Whether the supervisor will see something odd about it. */
export const isDoubtful = (post: Post, position: Position): boolean =>
  isOutsideFence(post, position) || isImprecise(position) || isOld(position);

/** @returns for example "35 m" or "1.4 km" */
export function formatDistance(metres: number): string {
  return metres < 1000 ? `${metres} m` : `${(metres / 1000).toFixed(metres < 99_950 ? 1 : 0)} km`;
}

/** @returns for example "12 m" or "2.5 km" */
export const formatAccuracy = (metres: number): string => formatDistance(Math.round(metres));

/** @returns for example "4 s old", "3 min old" or "2 h old" */
export function formatAge(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s old`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min old` : `${Math.floor(minutes / 60)} h old`;
}

export const notSure = ({ accuracy }: Pick<Position, 'accuracy'>): string =>
  `Your phone is not sure where you are (${formatAccuracy(accuracy)})`;
