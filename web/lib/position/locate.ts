export type Position = {
  /** Degrees, WGS 84. */
  latitude: number;
  longitude: number;
  /** Metres. */
  accuracy: number;
  /** Milliseconds since 1970 by the device's clock. */
  at: number;
};

/** A cold start of the GPS receiver takes half a minute on old phones. */
export const POSITION_OPTIONS = { enableHighAccuracy: true, timeout: 30_000, maximumAge: 15_000 };

/** A guard who has tapped waits no longer than this. */
const TAP_TIMEOUT_MS = 15_000;

/** Decimals of a degree: about a tenth of a metre. */
const GPS_DECIMALS = 6;

export const toPosition = ({ coords, timestamp }: GeolocationPosition): Position => ({
  latitude: coords.latitude,
  longitude: coords.longitude,
  accuracy: coords.accuracy,
  at: timestamp,
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
