import { deviceNow, knownOffset } from '../clock/server-now.ts';

export type Position = {
  /** Degrees, WGS 84. */
  latitude: number;
  longitude: number;
  /** Metres. */
  accuracy: number;
  /** Milliseconds since 1970, by the satellites' or the device's clock. */
  fixedAt: number;
  /** When the browser reported it, by the clocks of the device. */
  reported: { deviceAt: number; ticks: number };
};

/** A cold start of the GPS receiver takes half a minute on old phones. */
export const POSITION_OPTIONS = { enableHighAccuracy: true, timeout: 30_000, maximumAge: 15_000 };

/** A guard who has tapped waits no longer than this. */
export const TAP_TIMEOUT_MS = 15_000;

/** A position of this age still shows where the guard is. */
const FRESH_MS = 60_000;

/** Decimals of a degree: about a tenth of a metre. */
const GPS_DECIMALS = 6;

export const toPosition = ({ coords, timestamp }: GeolocationPosition): Position => ({
  latitude: coords.latitude,
  longitude: coords.longitude,
  accuracy: coords.accuracy,
  fixedAt: timestamp,
  reported: { deviceAt: deviceNow(), ticks: performance.now() },
});

/** @returns milliseconds; too many rather than too few after the device's clock was set */
export function ageOf({ fixedAt, reported: { deviceAt, ticks } }: Position): number {
  const byTicks = performance.now() - ticks;
  const byDevice = deviceNow() - deviceAt;
  const sinceReport = Math.max(byTicks, byDevice);
  // Some phones stamp a fix by satellite, others by their own clock, which may be hours off.
  const atReport = [deviceAt, deviceAt + (knownOffset()?.offset ?? 0)].map((at) =>
    Math.abs(at - fixedAt),
  );
  return Math.min(...atReport) + sinceReport;
}

export const isFresh = (position: Position): boolean => ageOf(position) <= FRESH_MS;

/** As a record stores a position: 'lat,lng' in degrees, its accuracy in metres. */
export const placeOf = (position: Position | undefined) => ({
  gps: position ? gpsText(position) : null,
  accuracyM: position ? Math.round(position.accuracy) : null,
});

/** With the position's age in seconds. */
export const recordedPlace = (position: Position | undefined) => ({
  ...placeOf(position),
  fixAgeS: position ? Math.round(ageOf(position) / 1000) : null,
});

/** @returns 'lat,lng' in degrees */
export const gpsText = ({ latitude, longitude }: Position): string =>
  `${latitude.toFixed(GPS_DECIMALS)},${longitude.toFixed(GPS_DECIMALS)}`;

/** Asks for permission if necessary. @returns undefined if it is refused, location is off, or there is no fix in time */
export function locate(): Promise<Position | undefined> {
  return new Promise((resolve) => {
    if (!('geolocation' in navigator)) return resolve(undefined);
    // The browser's timeout begins with the answer to its question, which Firefox and WebKit leave open for ever.
    setTimeout(() => resolve(undefined), TAP_TIMEOUT_MS);
    navigator.geolocation.getCurrentPosition(
      (fix) => resolve(toPosition(fix)),
      () => resolve(undefined),
      { ...POSITION_OPTIONS, timeout: TAP_TIMEOUT_MS },
    );
  });
}
