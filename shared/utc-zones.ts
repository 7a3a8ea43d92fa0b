const ZONES = new Set(['Africa/Monrovia', 'Africa/Accra', 'UTC']);
const SINCE = Date.UTC(1972, 0, 8);

/**
 * Whether the clocks of a zone show UTC, which needs no formatter: the first one of a page costs 0.1 s on a slow phone.
 * @param instant milliseconds since 1970
 */
export const isAtUtc = (zone: string, instant: number): boolean =>
  ZONES.has(zone) && instant >= SINCE;
