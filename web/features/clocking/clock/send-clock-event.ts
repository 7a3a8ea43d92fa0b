import { deviceNow } from '#web/lib/clock/server-now.ts';
import { accepted, NotSent } from '#web/lib/outbox/answers.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { clockEventSchema } from './clock-event.ts';
import { cacheSentEvent } from './clock-outcome.ts';

const TIMEOUT_MS = 20_000;
/** An event sent within this time of being made doesn't need its send time. */
const PROMPT_MS = 60_000;

const iso = (ms: number) => new Date(ms).toISOString();

/** Idempotent: the server stores an event id once, so a retry after a lost response is safe. */
export const sendClockEvent: SendEntry = async (entry, { connection }) => {
  const event = parsePayload(clockEventSchema, entry.payload);
  const now = deviceNow();
  const { data } = accepted(
    await connection
      .rpc('record_clock_event', {
        p_id: event.id,
        p_kind: event.kind,
        p_assignment_id: event.assignmentId,
        ...(event.attendanceId !== event.id && { p_attendance_id: event.attendanceId }),
        p_device_at: iso(event.deviceAt),
        ...((event.offsetMs === null || Math.abs(now - event.deviceAt) > PROMPT_MS) && {
          p_sent_at: iso(now),
        }),
        ...(event.offsetMs !== null && { p_server_offset_ms: event.offsetMs }),
        ...(event.enteredAt !== null && { p_entered_at: iso(event.enteredAt) }),
        ...(event.gps !== null && { p_gps: event.gps }),
        ...(event.accuracyM !== null && { p_accuracy_m: event.accuracyM }),
        ...(event.fixAgeS !== null && { p_fix_age_s: event.fixAgeS }),
        ...(event.reason !== null && { p_reason: event.reason }),
        ...(event.previousHash !== null && { p_previous_hash: event.previousHash }),
        ...(event.hash !== null && { p_hash: event.hash }),
      })
      // Proves that our service answered, in the fewest bytes.
      .select('kind')
      .abortSignal(AbortSignal.timeout(TIMEOUT_MS)),
  );
  if (data?.kind !== event.kind) throw new NotSent('busy', 'The server did not confirm the event.');
};

/** Updates the cached shifts before the outbox drops the entry, so that the duty status is never wrong in between. */
export const sendAndCacheClockEvent: SendEntry = async (entry, using) => {
  await sendClockEvent(entry, using);
  // The server has the event; a full device only shows it later.
  await cacheSentEvent(entry.userId, clockEventSchema.parse(entry.payload)).catch(console.warn);
};
