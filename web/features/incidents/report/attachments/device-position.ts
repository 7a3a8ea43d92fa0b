// Where this device is now, for photos that don't tell where they were taken.

/** Milliseconds: a fix this old is still where the guard stands; one that takes longer is not waited for. */
const FRESH_MS = 60_000;
const PATIENCE_MS = 15_000;

/** @returns 'lat,lng' in degrees; null where the device can't or may not tell */
export function devicePosition(): Promise<string | null> {
  if (!('geolocation' in navigator)) return Promise.resolve(null);
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve(`${coords.latitude.toFixed(6)},${coords.longitude.toFixed(6)}`),
      // A report without a position is a report all the same.
      () => resolve(null),
      { enableHighAccuracy: true, maximumAge: FRESH_MS, timeout: PATIENCE_MS },
    );
  });
}
