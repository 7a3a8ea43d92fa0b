import { queryClient } from '#web/lib/cache/query-client.ts';
import { guardHandoverKey } from '#web/lib/data/keys.ts';
import { accepted } from '#web/lib/outbox/answers.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { handoverSchema } from './handover.ts';

const TIMEOUT_MS = 20_000;

/** Idempotent: the server stores an id once. */
export const sendHandover: SendEntry = async ({ id, payload }, { connection }) => {
  const { assignmentId, at, note, ticks, side } = parsePayload(handoverSchema, payload);
  const place = { p_id: id, p_assignment_id: assignmentId };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  if (note !== undefined) {
    accepted(
      await connection
        .rpc('leave_note', { ...place, p_note: note, p_written_at: at })
        .abortSignal(signal),
    );
  }
  if (ticks !== undefined) {
    accepted(
      await connection
        .rpc('take_over', { ...place, p_ticks: ticks, p_taken_at: at, p_side: side })
        .abortSignal(signal),
    );
  }
  // Before the outbox drops the entry, so that the card shows no older state in between.
  await queryClient.invalidateQueries({ queryKey: guardHandoverKey });
};
