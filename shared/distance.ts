/** Mean radius of the earth, metres. */
const EARTH_M = 6_371_008.8;

/** Degrees, WGS 84. */
export type Point = { latitude: number; longitude: number };

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Metres of one degree of latitude. */
export const DEGREE_M = radians(EARTH_M);

/** @returns whole metres as the crow flies, as private.distance_m does */
export function metresBetween(one: Point, other: Point): number {
  const north = Math.sin(radians(other.latitude - one.latitude) / 2) ** 2;
  const east = Math.sin(radians(other.longitude - one.longitude) / 2) ** 2;
  const scale = Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude));
  return Math.round(2 * EARTH_M * Math.asin(Math.sqrt(Math.min(1, north + scale * east))));
}
