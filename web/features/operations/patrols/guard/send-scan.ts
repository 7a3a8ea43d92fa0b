import { queryClient } from '#web/lib/cache/query-client.ts';
import { guardToursKey } from '#web/lib/data/keys.ts';
import { accepted } from '#web/lib/outbox/answers.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { scanSchema } from './tours.ts';

const TIMEOUT_MS = 20_000;

/** Idempotent: the server stores a scan's id once. */
export const sendScan: SendEntry = async ({ id, payload }, { connection }) => {
  const { code, way, deviceAt, offsetMs, gps, accuracyM, tourId } = parsePayload(
    scanSchema,
    payload,
  );
  const scan = {
    id,
    code,
    way,
    device_at: new Date(deviceAt).toISOString(),
    offset_ms: offsetMs,
    gps,
    accuracy_m: accuracyM,
    tour_id: tourId,
  };
  accepted(
    await connection
      .rpc('record_scans', { p_scans: [scan] })
      .abortSignal(AbortSignal.timeout(TIMEOUT_MS)),
  );
  // Before the outbox drops the entry, so that the checkpoint doesn't show as open in between.
  await queryClient.invalidateQueries({ queryKey: guardToursKey });
};
