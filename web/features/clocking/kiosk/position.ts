// The device's own position, if it has one. It is at its site, so nothing waits for it.
import { ageOf, gpsText, type Position, toPosition } from '#web/lib/position/locate.ts';

/** A position older than this says nothing of the event, milliseconds. */
const VALID_MS = 600_000;

let last: Position | undefined;

/** Follows the position while the page is open. */
export function followPosition(): () => void {
  if (!('geolocation' in navigator)) return () => undefined;
  const watch = navigator.geolocation.watchPosition(
    (position) => {
      last = toPosition(position);
    },
    () => undefined,
    { maximumAge: VALID_MS },
  );
  return () => navigator.geolocation.clearWatch(watch);
}

export function lastPosition(): { gps: string | null; accuracyM: number | null } {
  if (!last || ageOf(last) > VALID_MS) return { gps: null, accuracyM: null };
  return { gps: gpsText(last), accuracyM: last.accuracy };
}
