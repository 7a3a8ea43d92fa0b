import { z } from 'zod';
import { CLOCK_EVENTS_KIND } from '#shared/database.values.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { CLOCK_KIND } from '#web/lib/outbox/kinds.ts';

export const clockShiftSchema = z.object({
  assignment_id: z.uuid(),
  site_id: z.uuid(),
  site_name: z.string(),
  client_name: z.string(),
  address: z.string(),
  /** IANA zone of the site. */
  timezone: z.string(),
  /** Degrees; null if the site has no position. Absent in shifts that an older version cached. */
  latitude: z.number().nullable().default(null),
  longitude: z.number().nullable().default(null),
  /** Metres. */
  geofence_radius_m: z.number().nullable().default(null),
  start_time: z.string(),
  end_time: z.string(),
  attendance_id: z.string().nullable(),
  clock_in_at: z.string().nullable(),
  clock_out_at: z.string().nullable(),
  flags: z.array(z.string()).nullable(),
});

export type ClockShift = z.infer<typeof clockShiftSchema> & {
  /** Kind of the last queued event of this shift that is not sent yet. */
  waiting?: ClockEvent['kind'];
};

export const clockEventSchema = z.object({
  id: z.uuid(),
  /** `reopen` undoes a clock-out made by mistake, `withdraw` a clock-in. */
  kind: z.enum(CLOCK_EVENTS_KIND),
  assignmentId: z.uuid(),
  /** The attendance record that the event opens, closes or reopens. A clock-in's id becomes the record's id. */
  attendanceId: z.uuid(),
  /** Milliseconds since 1970 by the device's clock. */
  deviceAt: z.number(),
  /** How far the server's clock is ahead of the device's, milliseconds; null when never measured. */
  offsetMs: z.number().nullable(),
  /** When the guard says they left, for a forgotten clock-out; milliseconds since 1970. */
  enteredAt: z.number().nullable(),
  /** 'lat,lng' in degrees. */
  gps: z.string().nullable(),
  /** Accuracy of the location, metres. */
  accuracyM: z.number().nullable(),
  /** Age of the location at the event, seconds. */
  fixAgeS: z.number().nullable(),
  reason: z.string().nullable(),
  previousHash: z.string().nullable(),
  hash: z.string().nullable(),
});

export type ClockEvent = z.infer<typeof clockEventSchema>;

/** @returns the time that counts, ISO 8601 in UTC: the entered time, or the device's corrected by the server offset */
function effectiveAt(event: ClockEvent): string {
  return new Date(event.enteredAt ?? event.deviceAt + (event.offsetMs ?? 0)).toISOString();
}

/** @returns the clock events among these outbox entries, in order */
export function readClockEvents(entries: readonly OutboxEntry[]): ClockEvent[] {
  return entries
    .filter(({ kind }) => kind === CLOCK_KIND)
    .map(({ payload }) => clockEventSchema.safeParse(payload).data)
    .filter((event) => event !== undefined);
}

function withEvent(shift: ClockShift, event: ClockEvent): ClockShift {
  const at = effectiveAt(event);
  if (event.kind === 'out') return { ...shift, clock_out_at: at, waiting: 'out' };
  if (event.kind === 'reopen') return { ...shift, clock_out_at: null, waiting: 'reopen' };
  if (event.kind === 'withdraw') {
    const none = { attendance_id: null, clock_in_at: null, clock_out_at: null };
    return { ...shift, ...none, waiting: 'withdraw' };
  }
  const { attendanceId: attendance_id } = event;
  return { ...shift, attendance_id, clock_in_at: at, clock_out_at: null, waiting: 'in' };
}

/** @returns the shifts as if the server had stored these events */
export function withEvents(
  shifts: readonly ClockShift[],
  events: readonly ClockEvent[],
): ClockShift[] {
  return shifts.map((shift) => {
    let updated = shift;
    for (const event of events) {
      if (event.assignmentId === shift.assignment_id) updated = withEvent(updated, event);
    }
    return updated;
  });
}

/**
 * Links each event to the previous one. The database function record_clock_event computes the same hash.
 * @returns SHA-256 in hex; null when the browser can't compute it, which the server only flags
 */
export async function hashEvent(event: Omit<ClockEvent, 'hash'>): Promise<string | null> {
  const fields = [
    event.id,
    event.kind,
    event.assignmentId,
    event.deviceAt,
    event.offsetMs,
    event.enteredAt,
    event.gps,
    event.previousHash,
  ];
  const text = fields.map((field) => field ?? '').join('|');
  try {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch (error) {
    console.warn('The clock event is not linked to the previous one:', error);
    return null;
  }
}
