// What is known of a clock-in or a clock-out: time, position, distance and accuracy; the original beside a correction.
import { formatDateTime } from '#web/lib/format/dates.ts';

export type ClockEventFacts = {
  name: 'Clock-in' | 'Clock-out';
  at: string | null;
  /** Of the site. */
  zone: string;
  original: string | null;
  gps: string | null;
  distance: number | null;
  accuracy: number | null;
  receivedAt: string | null;
  reason: string | null;
};

/** How late an event may arrive before its arrival is worth telling, in minutes. */
const WORTH_TELLING = 15;

/** @returns latitude and longitude to 4 decimals (specification, section 9) */
const shownGps = (gps: string) =>
  gps
    .split(',')
    .map((degrees) => Number(degrees).toFixed(4))
    .join(', ');

export function ClockEvent({ event }: { event: ClockEventFacts }) {
  const { name, at, zone, original, gps, distance, accuracy, receivedAt, reason } = event;
  const delay = at && receivedAt ? (Date.parse(receivedAt) - Date.parse(at)) / 60_000 : 0;
  return (
    <section aria-label={name} className="grid content-start gap-1 text-[0.9375rem]">
      <h3 className="font-semibold">{name}</h3>
      {at === null ? (
        <p className="text-muted">Not yet</p>
      ) : (
        <p>
          <time dateTime={at}>{formatDateTime(at, zone)}</time>
        </p>
      )}
      {original && (
        <p className="text-sm text-muted">
          Originally <time dateTime={original}>{formatDateTime(original, zone)}</time>
        </p>
      )}
      {gps && (
        <p className="text-sm tabular-nums">
          {shownGps(gps)}
          {distance !== null && `, ${distance} m from the site`}
          {accuracy !== null && `, accurate to ${Math.round(accuracy)} m`}
        </p>
      )}
      {at && !gps && <p className="text-sm">No location</p>}
      {reason && <p className="text-sm text-muted">“{reason}”</p>}
      {receivedAt && delay > WORTH_TELLING && (
        <p className="text-sm text-muted">
          Received <time dateTime={receivedAt}>{formatDateTime(receivedAt, zone)}</time>
        </p>
      )}
    </section>
  );
}
