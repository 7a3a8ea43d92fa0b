import { queryClient } from '#web/lib/cache/query-client.ts';
import { ownCallKey } from '#web/lib/data/keys.ts';
import { accepted } from '#web/lib/outbox/answers.ts';
import { deviceTimes } from '#web/lib/outbox/device-times.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { unitStepSchema } from './unit-call.ts';

const TIMEOUT_MS = 20_000;

/** Idempotent: the server stores an id once. A step that is too late is written down, never refused. */
export const sendUnitStep: SendEntry = async (entry, { connection }) => {
  const { id, payload, madeAt, offsetMs } = entry;
  const { assignedId, step, gps } = parsePayload(unitStepSchema, payload);
  accepted(
    await connection
      .rpc('record_unit_step', {
        p_id: id,
        p_assigned_id: assignedId,
        p_kind: step,
        ...deviceTimes(madeAt, offsetMs),
        ...(gps !== null && { p_gps: gps }),
      })
      .abortSignal(AbortSignal.timeout(TIMEOUT_MS)),
  );
  // Before the outbox drops the entry, so that the card shows no older state in between.
  await queryClient.invalidateQueries({ queryKey: ownCallKey });
};
