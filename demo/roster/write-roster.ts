// Inserts assignments and attendance; derived columns are computed by the same SQL functions that the triggers use.
import type { ClientBase } from 'pg';
import type { Attendance, Positions } from '../clocking/attendance.ts';
import { asRows } from '../insert-rows.ts';
import type { Assignment } from './roster.ts';

/** Seconds since 1970: PostgreSQL parses numbers several times faster than timestamps. */
const seconds = (ms: number | null | undefined): number | null =>
  ms == null ? null : Math.floor(ms / 1_000);

export async function insertAssignments(
  client: ClientBase,
  assignments: readonly Assignment[],
): Promise<void> {
  const { from, values } = asRows(
    {
      id: 'uuid',
      shift_id: 'uuid',
      user_id: 'uuid',
      status: 'text',
      role: 'text',
      attendance: 'text',
    },
    assignments.map(({ id, shift, guard, status, role, attendance }) => ({
      id,
      shift_id: shift.id,
      user_id: guard.id,
      status,
      role,
      attendance,
    })),
  );
  await client.query(
    `insert into public.assignments
       (id, shift_id, user_id, status, role_at_shift, site_id, period, rest_span, attendance_state,
        created_at, updated_at)
     select r.id, r.shift_id, r.user_id, r.status, r.role, s.site_id, tstzrange(s.start_time, s.end_time),
       -- Half of the rest between two shifts on each side.
       case when r.status <> 'cancelled' then
         tstzrange(s.start_time - interval '6 hours', s.end_time + interval '6 hours') end,
       r.attendance, s.created_at, s.created_at
     from ${from} join public.shifts s on s.id = r.shift_id`,
    values,
  );
}

export async function insertAttendance(
  client: ClientBase,
  records: readonly Attendance[],
  positions: Positions,
): Promise<void> {
  const { from, values } = asRows(
    {
      id: 'uuid',
      assignment_id: 'uuid',
      in_at: 'int8',
      in_place: 'int',
      in_reason: 'text',
      in_received: 'int8',
      out_at: 'int8',
      out_place: 'int',
      out_received: 'int8',
      reviewable: 'bool',
      original_in: 'int8',
      corrected_by: 'uuid',
      corrected_at: 'int8',
      correction: 'text',
    },
    records.map((record) => ({
      id: record.id,
      assignment_id: record.assignment.id,
      in_at: seconds(record.inAt),
      in_place: record.inPosition?.number ?? null,
      in_reason: record.inReason,
      in_received: seconds(record.inReceived),
      out_at: seconds(record.outAt),
      out_place: record.outPosition?.number ?? null,
      out_received: seconds(record.outReceived),
      reviewable: record.isOpenForReview,
      original_in: seconds(record.correction?.originalIn),
      corrected_by: record.correction?.by,
      corrected_at: seconds(record.correction?.at),
      correction: record.correction?.reason,
    })),
  );
  const places = positions.all;
  values.push(
    places.map(({ number }) => number),
    places.map(({ site }) => site.id),
    places.map(({ gps }) => gps),
  );
  await client.query(
    `with places as materialized (
       select p.number, p.gps, private.distance_m(p.gps, s.latitude, s.longitude) as metres
       from unnest($${values.length - 2}::int[], $${values.length - 1}::uuid[], $${values.length}::text[])
         as p (number, site_id, gps)
       join public.sites s on s.id = p.site_id
     )
     insert into public.attendance
       (id, assignment_id, user_id, site_id, clock_in_at, clock_in_gps, clock_in_reason, clock_in_received_at,
        clock_out_at, clock_out_gps, clock_out_received_at, clock_in_distance_m, clock_out_distance_m,
        late_minutes, early_minutes, needs_review, flags, original_clock_in_at,
        corrected_by, corrected_at, correction_reason, created_at, updated_at, clock_out_way)
     select r.id, r.assignment_id, a.user_id, a.site_id, at.way_in, way_in.gps, r.in_reason, at.in_received,
       at.way_out, way_out.gps, at.out_received, way_in.metres, way_out.metres,
       greatest(0, floor(extract(epoch from at.way_in - lower(a.period)) / 60)),
       greatest(0, floor(extract(epoch from upper(a.period) - at.way_out) / 60)),
       r.reviewable and noticed.flags <> '{}', noticed.flags,
       to_timestamp(r.original_in), r.corrected_by, to_timestamp(r.corrected_at), r.correction,
       at.in_received, coalesce(to_timestamp(r.corrected_at), at.out_received, at.in_received),
       case when at.way_out is null then null
         when r.out_place is null and r.corrected_by is not null then 'office' else 'phone' end
     from ${from}
     join public.assignments a on a.id = r.assignment_id
     join public.sites s on s.id = a.site_id
     left join places way_in on way_in.number = r.in_place
     left join places way_out on way_out.number = r.out_place
     cross join lateral (
       select to_timestamp(r.in_at) as way_in, to_timestamp(r.in_received) as in_received,
         to_timestamp(r.out_at) as way_out, to_timestamp(r.out_received) as out_received
     ) at
     cross join lateral (
       select array_remove(array[
         case when way_in.metres is null or r.out_at is not null and way_out.metres is null then 'no_location' end,
         case when way_in.metres > s.geofence_radius_m or way_out.metres > s.geofence_radius_m
           then 'outside_fence' end,
         case when r.in_received > r.in_at + 900 or r.out_received > r.out_at + 900 then 'sent_late' end,
         case when at.way_out < upper(a.period) - interval '15 minutes' then 'left_early' end
       ], null) as flags
     ) noticed`,
    values,
  );
}
