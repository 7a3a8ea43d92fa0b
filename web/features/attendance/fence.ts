// Where clock events lie relative to a site and its fence, in metres.

/** Metres of a degree of latitude. */
const DEGREE_M = 111_195;

export type Point = { east: number; north: number };

/**
 * @param gps text 'lat,lng' of a clock event
 * @param site in degrees
 * @returns metres from the site; undefined where either is unknown
 */
export function offsetOf(
  gps: string | null,
  site: { latitude: number | null; longitude: number | null },
): Point | undefined {
  if (gps === null || site.latitude === null || site.longitude === null) return undefined;
  const [latitude = Number.NaN, longitude = Number.NaN] = gps.split(',').map(Number);
  if (Number.isNaN(latitude) || Number.isNaN(longitude)) return undefined;
  return {
    east: (longitude - site.longitude) * DEGREE_M * Math.cos((site.latitude * Math.PI) / 180),
    north: (latitude - site.latitude) * DEGREE_M,
  };
}
