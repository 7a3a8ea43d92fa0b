// One guard on one shift: both clock events, where they were, what was decided, and what may be done.
import { useState } from 'react';
import { flagLabel } from '#shared/attendance-flags.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { formatDateTime, formatTimeRange } from '#web/lib/format/dates.ts';
import { type AttendanceDetail, useAttendanceDetail } from '../api/get-attendance.ts';
import { presenceOf } from '../presence.ts';
import { ClockEvent, type ClockEventFacts } from './clock-event.tsx';
import { CorrectionForm } from './correction-form.tsx';
import { FencePicture } from './fence-picture.tsx';
import { Oversight } from './oversight.tsx';

function eventsOf({ row, record }: AttendanceDetail): ClockEventFacts[] {
  if (!record) return [];
  const accuracy = (kind: 'in' | 'out') =>
    record.clock_events.find((event) => event.kind === kind)?.accuracy_m ?? null;
  return [
    {
      name: 'Clock-in',
      at: record.clock_in_at,
      zone: row.timezone,
      original: record.original_clock_in_at,
      gps: record.clock_in_gps,
      distance: record.clock_in_distance_m,
      accuracy: accuracy('in'),
      receivedAt: record.clock_in_received_at,
      reason: record.clock_in_reason,
    },
    {
      name: 'Clock-out',
      at: record.clock_out_at,
      zone: row.timezone,
      original: record.original_clock_out_at,
      gps: record.clock_out_gps,
      distance: record.clock_out_distance_m,
      accuracy: accuracy('out'),
      receivedAt: record.clock_out_received_at,
      reason: record.clock_out_reason,
    },
  ];
}

type Person = { full_name: string | null; email: string | null } | null;
const nameOf = (person: Person): string => person?.full_name || person?.email || 'somebody';

/** What was changed and decided, and by whom. */
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
          {what} by {nameOf(by)}, <time dateTime={at}>{formatDateTime(at, row.timezone)}</time>
          {why && <span className="block text-muted">“{why}”</span>}
        </p>
      ),
  );
}

type DetailsProps = { detail: AttendanceDetail; onClose: () => void };

function AttendanceDetails({ detail, onClose }: DetailsProps) {
  const { row, record } = detail;
  const [isCorrecting, setCorrecting] = useState(false);
  const { label, tone } = presenceOf(row);
  return (
    <div data-first-focus tabIndex={-1} className="grid gap-6 outline-none">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <p className="font-semibold">{row.site_name}</p>
          <p className="text-sm text-muted">
            {row.client_name}
            {row.role_at_shift && `, ${row.role_at_shift}`}
          </p>
          <p>{formatTimeRange(row.start_time, row.end_time, row.timezone)}</p>
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
      {isCorrecting ? (
        <CorrectionForm row={row} onDone={() => setCorrecting(false)} />
      ) : (
        <Oversight row={row} onCorrect={() => setCorrecting(true)} onClose={onClose} />
      )}
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
