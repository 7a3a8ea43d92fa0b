import { queryClient } from '#web/lib/cache/query-client.ts';
import { deviceNow } from '#web/lib/clock/server-now.ts';
import { musterKey } from '#web/lib/data/keys.ts';
import { accepted } from '#web/lib/outbox/answers.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { toBase64 } from '#web/lib/photos/small-picture.ts';
import { musterSchema } from './api.ts';

const TIMEOUT_MS = 20_000;

/** Idempotent: the server stores an event id once. */
export const sendMuster: SendEntry = async (entry, { connection, files }) => {
  const { assignmentId, gps, accuracyM, fixAgeS } = parsePayload(musterSchema, entry.payload);
  const [photo] = await files();
  accepted(
    await connection
      .rpc('record_muster', {
        p_id: entry.id,
        p_assignment_id: assignmentId,
        p_device_at: new Date(entry.madeAt).toISOString(),
        p_sent_at: new Date(deviceNow()).toISOString(),
        ...(entry.offsetMs !== null && { p_server_offset_ms: entry.offsetMs }),
        ...(gps !== null && { p_gps: gps }),
        ...(accuracyM !== null && { p_accuracy_m: accuracyM }),
        ...(fixAgeS !== null && { p_fix_age_s: fixAgeS }),
        ...(photo && { p_photo: await toBase64(photo.blob) }),
      })
      .select('kind')
      .abortSignal(AbortSignal.timeout(TIMEOUT_MS)),
  );
  // Before the outbox drops the entry, so that the list doesn't show the guard as missing in between.
  await queryClient.invalidateQueries({ queryKey: musterKey });
};
