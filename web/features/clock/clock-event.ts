import { z } from 'zod';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';

export const clockShiftSchema = z.object({
  assignment_id: z.uuid(),
  site_id: z.uuid(),
  site_name: z.string(),
  client_name: z.string(),
  address: z.string(),
  /** IANA zone of the site. */
  timezone: z.string(),
  start_time: z.string(),
  end_time: z.string(),
  attendance_id: z.string().nullable(),
  clock_in_at: z.string().nullable(),
  clock_out_at: z.string().nullable(),
  flags: z.array(z.string()).nullable(),
});

export type ClockShift = z.infer<typeof clockShiftSchema> & {
  /** The last event of it that this device has not been able to send yet. */
  waiting?: 'in' | 'out' | 'reopen';
};

export const CLOCK_KIND = 'clock';

export const clockEventSchema = z.object({
  id: z.uuid(),
  /** `reopen` undoes a clock-out made by mistake. */
  kind: z.enum(['in', 'out', 'reopen']),
  assignmentId: z.uuid(),
  /** The record that it opens, closes or reopens; a clock-in gives the record its own id. */
  attendanceId: z.uuid(),
  /** Milliseconds since 1970 by the clock of the device. */
  deviceAt: z.number(),
  /** Milliseconds that the server's clock was ahead when they last met. */
  offsetMs: z.number().nullable(),
  /** The time of a forgotten clock-out, as the guard entered it; milliseconds since 1970. */
  enteredAt: z.number().nullable(),
  /** 'lat,lng' in degrees. */
  gps: z.string().nullable(),
  /** Metres. */
  accuracyM: z.number().nullable(),
  /** Seconds between the location and the event. */
  fixAgeS: z.number().nullable(),
  reason: z.string().nullable(),
  previousHash: z.string().nullable(),
  hash: z.string().nullable(),
});

export type ClockEvent = z.infer<typeof clockEventSchema>;

/** @returns when it counts, ISO 8601: the device's clock put right, or the time that was entered */
function effectiveAt(event: ClockEvent): string {
  return new Date(event.enteredAt ?? event.deviceAt + (event.offsetMs ?? 0)).toISOString();
}

/** @returns the clock events among these entries of the outbox, in their order */
export function clockEventsOf(entries: readonly OutboxEntry[]): ClockEvent[] {
  return entries
    .filter(({ kind }) => kind === CLOCK_KIND)
    .map(({ payload }) => clockEventSchema.safeParse(payload).data)
    .filter((event) => event !== undefined);
}

function withEvent(shift: ClockShift, event: ClockEvent): ClockShift {
  const at = effectiveAt(event);
  if (event.kind === 'out') return { ...shift, clock_out_at: at, waiting: 'out' };
  if (event.kind === 'reopen') return { ...shift, clock_out_at: null, waiting: 'reopen' };
  const { attendanceId: attendance_id } = event;
  return { ...shift, attendance_id, clock_in_at: at, clock_out_at: null, waiting: 'in' };
}

/** @returns the shifts as they will be once these events are stored; `waiting` names the last kind of event */
export function withEvents(
  shifts: readonly ClockShift[],
  events: readonly ClockEvent[],
): ClockShift[] {
  return shifts.map((shift) => {
    let known = shift;
    for (const event of events) {
      if (event.assignmentId === shift.assignment_id) known = withEvent(known, event);
    }
    return known;
  });
}

/** @returns SHA-256 in hex; null where the browser can't compute one, which the server only notes */
export async function hashOf(event: Omit<ClockEvent, 'hash'>): Promise<string | null> {
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
    console.warn('The clock event is not tied to the one before:', error);
    return null;
  }
}
