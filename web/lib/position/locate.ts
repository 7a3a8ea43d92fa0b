import { clockJumps, deviceNow, serverNow } from '../clock/server-now.ts';

export type Position = {
  /** Degrees, WGS 84. */
  latitude: number;
  longitude: number;
  /** Metres. */
  accuracy: number;
  /** How old it was when the browser reported it, milliseconds. */
  ageAtReport: number;
  /** When that was, by the clocks of the device. */
  reported: { deviceAt: number; ticks: number; jumps: number };
};

/** A cold start of the GPS receiver takes half a minute on old phones. */
export const POSITION_OPTIONS = { enableHighAccuracy: true, timeout: 30_000, maximumAge: 15_000 };

/** A guard who has tapped waits no longer than this. */
export const TAP_TIMEOUT_MS = 15_000;

/** A position of this age still shows where the guard is. */
const FRESH_MS = 60_000;

/** Decimals of a degree: about a tenth of a metre. */
const GPS_DECIMALS = 6;

export function toPosition({ coords, timestamp }: GeolocationPosition): Position {
  // Some phones stamp it by satellite, others by their own clock, which may be hours off.
  const ages = [deviceNow(), serverNow()].map((now) => Math.abs(now - timestamp));
  return {
    latitude: coords.latitude,
    longitude: coords.longitude,
    accuracy: coords.accuracy,
    ageAtReport: Math.min(...ages),
    reported: { deviceAt: deviceNow(), ticks: performance.now(), jumps: clockJumps() },
  };
}

/** @returns milliseconds; too many rather than too few after the device's clock was set */
export function ageOf({ ageAtReport, reported: { deviceAt, ticks, jumps } }: Position): number {
  const byTicks = performance.now() - ticks;
  const hasJumped = jumps !== clockJumps() || Math.abs(deviceNow() - deviceAt - byTicks) > FRESH_MS;
  return ageAtReport + (hasJumped ? Math.max(byTicks, deviceNow() - deviceAt) : byTicks);
}

export const isFresh = (position: Position): boolean => ageOf(position) <= FRESH_MS;

/** As a record stores a position: 'lat,lng' in degrees, its accuracy in metres, its age in seconds. */
export function recordedPlace(position: Position | undefined) {
  return {
    gps: position ? gpsText(position) : null,
    accuracyM: position ? Math.round(position.accuracy) : null,
    fixAgeS: position ? Math.round(ageOf(position) / 1000) : null,
  };
}

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
