import { queryClient } from '#web/lib/cache/query-client.ts';
import { musterKey } from '#web/lib/data/keys.ts';
import { accepted } from '#web/lib/outbox/answers.ts';
import { deviceTimes } from '#web/lib/outbox/device-times.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { toBase64 } from '#web/lib/photos/small-picture.ts';
import { musterSchema } from './api.ts';

const TIMEOUT_MS = 20_000;

const ABSENT_REASON = 'Not at post at the muster';

/** Idempotent: the server stores an event id once, and an absence can be noted again. */
export const sendMuster: SendEntry = async (entry, { connection, files }) => {
  const { mark, assignmentId, gps, accuracyM, fixAgeS } = parsePayload(musterSchema, entry.payload);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const ofAssignment = { p_assignment_id: assignmentId };
  if (mark === 'absent') {
    const reason = { ...ofAssignment, p_reason: ABSENT_REASON };
    accepted(await connection.rpc('mark_no_show', reason).select('id').abortSignal(signal));
  } else if (mark === 'expected') {
    accepted(await connection.rpc('undo_no_show', ofAssignment).select('id').abortSignal(signal));
  } else {
    const [photo] = await files();
    accepted(
      await connection
        .rpc('record_muster', {
          ...ofAssignment,
          p_id: entry.id,
          p_kind: mark,
          ...deviceTimes(entry.madeAt, entry.offsetMs),
          ...(gps !== null && { p_gps: gps }),
          ...(accuracyM !== null && { p_accuracy_m: accuracyM }),
          ...(fixAgeS !== null && { p_fix_age_s: fixAgeS }),
          ...(photo && { p_photo: await toBase64(photo.blob) }),
        })
        .select('kind')
        .abortSignal(signal),
    );
  }
  // Before the outbox drops the entry, so that the list doesn't show the guard as missing in between.
  await queryClient.invalidateQueries({ queryKey: musterKey });
};
