import { flagLabel } from '#shared/attendance-flags.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import { formatDateTime, formatTimeRange } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { type AttendanceDetail, useAttendanceDetail } from './api.ts';
import { findPresence } from './attendance-states.ts';
import { ClockPicture, ClockWay } from './clock-way.tsx';
import { FencePicture } from './fence-picture.tsx';
import { SupervisorActions } from './supervisor-actions.tsx';

type AttendanceEvent = NonNullable<AttendanceDetail['record']>['clock_events'][number];

type ClockEventFacts = {
  name: 'Clock-in' | 'Clock-out';
  at: string | null;
  /** IANA zone of the site. */
  zone: string;
  original: string | null;
  gps: string | null;
  /** Metres from the site. */
  distance: number | null;
  /** Metres. */
  accuracy: number | null;
  receivedAt: string | null;
  reason: string | null;
  /** How it was made; null until it is. */
  way: string | null;
  /** The event that made it, if one did. */
  made: AttendanceEvent | undefined;
};

/** Minutes after which the time of receipt is shown too. */
const LATE_RECEIPT_MIN = 15;

/** @returns latitude and longitude with 4 decimals */
const formatGps = (gps: string) =>
  gps
    .split(',')
    .map((degrees) => Number(degrees).toFixed(4))
    .join(', ');

function ClockEvent({ event }: { event: ClockEventFacts }) {
  const { name, at, zone, original, gps, distance, accuracy, receivedAt, reason, way } = event;
  const { id, maker } = event.made ?? {};
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
      {at && way && (
        <p className="text-sm text-muted">
          <ClockWay way={way} />
          {maker && ` by ${formatName(maker)}`}
        </p>
      )}
      {original && (
        <p className="text-sm text-muted">
          Originally <time dateTime={original}>{formatDateTime(original, zone)}</time>
        </p>
      )}
      {gps && (
        <p className="text-sm tabular-nums">
          {formatGps(gps)}
          {distance !== null && `, ${distance} m from the site`}
          {accuracy !== null && `, accurate to ${Math.round(accuracy)} m`}
        </p>
      )}
      {at && !gps && <p className="text-sm">No location</p>}
      {reason && <p className="text-sm text-muted">“{reason}”</p>}
      {id && (way === 'device' || way === 'muster') && <ClockPicture eventId={id} />}
      {receivedAt && delay > LATE_RECEIPT_MIN && (
        <p className="text-sm text-muted">
          Received <time dateTime={receivedAt}>{formatDateTime(receivedAt, zone)}</time>
        </p>
      )}
    </section>
  );
}

function eventsOf({ row, record }: AttendanceDetail): ClockEventFacts[] {
  if (!record) return [];
  const made = (kind: 'in' | 'out', way: string | null) =>
    record.clock_events.find((event) => event.kind === kind && event.way === way);
  const clockIn = made('in', record.clock_in_way);
  const clockOut = made('out', record.clock_out_way);
  return [
    {
      name: 'Clock-in',
      at: record.clock_in_at,
      zone: row.timezone,
      original: record.original_clock_in_at,
      gps: record.clock_in_gps,
      distance: record.clock_in_distance_m,
      accuracy: clockIn?.accuracy_m ?? null,
      receivedAt: record.clock_in_received_at,
      reason: record.clock_in_reason,
      way: record.clock_in_way,
      made: clockIn,
    },
    {
      name: 'Clock-out',
      at: record.clock_out_at,
      zone: row.timezone,
      original: record.original_clock_out_at,
      gps: record.clock_out_gps,
      distance: record.clock_out_distance_m,
      accuracy: clockOut?.accuracy_m ?? null,
      receivedAt: record.clock_out_received_at,
      reason: record.clock_out_reason,
      way: record.clock_out_way,
      made: clockOut,
    },
  ];
}

function History({ detail: { row, record } }: { detail: AttendanceDetail }) {
  if (!record) return null;
  const { corrected_at, corrector, correction_reason, resolved_at, resolver, resolution } = record;
  const entries = [
    { what: 'Corrected', at: corrected_at, by: corrector, why: correction_reason },
    { what: 'Resolved', at: resolved_at, by: resolver, why: resolution },
  ];
  return entries.map(
    ({ what, at, by, why }) =>
      at && (
        <p key={what} className="text-sm">
          {what} by {by ? formatName(by) : 'a former user'},{' '}
          <time dateTime={at}>{formatDateTime(at, row.timezone)}</time>
          {why && <span className="block text-muted">“{why}”</span>}
        </p>
      ),
  );
}

type DetailsProps = { detail: AttendanceDetail; onClose: () => void };

function AttendanceDetails({ detail, onClose }: DetailsProps) {
  const { row, record } = detail;
  const { label, tone } = findPresence(row);
  return (
    <div data-first-focus tabIndex={-1} className="grid gap-6 outline-none">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <p>
            <PersonLink id={row.user_id} name={row.guard_name} />
          </p>
          <p className="font-semibold">
            <SiteLink id={row.site_id} name={row.site_name} />
          </p>
          <p className="text-sm text-muted">
            {row.client_name}
            {row.role_at_shift && `, ${row.role_at_shift}`}
          </p>
          <p>{formatTimeRange(row.start_time, row.end_time, row.timezone)}</p>
          {row.no_show_reason && (
            <p className="text-sm text-warning">Did not come: {row.no_show_reason}</p>
          )}
          {row.said && <p className="text-sm text-warning first-letter:uppercase">{row.said}</p>}
        </div>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {record && (
        <div className="grid gap-5 border-t border-line pt-5 sm:grid-cols-3">
          {eventsOf(detail).map((event) => (
            <ClockEvent key={event.name} event={event} />
          ))}
          <FencePicture detail={detail} />
        </div>
      )}
      {row.flags.length > 0 && (
        <ul aria-label="Exceptions" className="flex flex-wrap gap-2">
          {row.flags.map((flag) => (
            <li key={flag}>
              <Badge tone={row.needs_review ? 'orange' : 'grey'}>{flagLabel(flag)}</Badge>
            </li>
          ))}
        </ul>
      )}
      <History detail={detail} />
      <SupervisorActions row={row} onClose={onClose} />
    </div>
  );
}

export function AttendanceDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useAttendanceDetail(id);
  return (
    <DetailDialog
      query={query}
      title={query.data ? query.data.row.guard_name : 'Attendance'}
      missing="This attendance does not exist."
      onClose={onClose}
    >
      {(detail) => <AttendanceDetails detail={detail} onClose={onClose} />}
    </DetailDialog>
  );
}
