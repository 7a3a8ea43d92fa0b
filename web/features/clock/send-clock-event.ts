import { accepted, NotSent } from '#web/lib/outbox/answers.ts';
import { payloadOf, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { clockEventSchema } from './clock-event.ts';
import { rememberEvent } from './clock-shifts.ts';

const PATIENCE_MS = 20_000;
const AT_ONCE_MS = 60_000;

const iso = (ms: number) => new Date(ms).toISOString();

export const sendClockEvent: SendEntry = async (entry, { connection }) => {
  const event = payloadOf(clockEventSchema, entry.payload);
  const now = Date.now();
  const { data } = accepted(
    await connection
      .rpc('record_clock_event', {
        p_id: event.id,
        p_kind: event.kind,
        p_assignment_id: event.assignmentId,
        ...(event.attendanceId !== event.id && { p_attendance_id: event.attendanceId }),
        p_device_at: iso(event.deviceAt),
        // Sent at once it would say the same again.
        ...((event.offsetMs === null || Math.abs(now - event.deviceAt) > AT_ONCE_MS) && {
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
      // The shortest column that shows that it was our service that answered: a phone pays for each byte.
      .select('kind')
      .abortSignal(AbortSignal.timeout(PATIENCE_MS)),
  );
  if (data?.kind !== event.kind) throw new NotSent('busy', 'The server did not confirm it.');
};

export const sendAndNote: SendEntry = async (entry, using) => {
  await sendClockEvent(entry, using);
  // A full device only shows it later; the server has it.
  await rememberEvent(entry.userId, clockEventSchema.parse(entry.payload)).catch(console.warn);
};
