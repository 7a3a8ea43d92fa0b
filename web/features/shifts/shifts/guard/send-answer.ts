import { z } from 'zod';
import { queryClient } from '#web/lib/cache/query-client.ts';
import { guardShiftsKey } from '#web/lib/data/keys.ts';
import { accepted } from '#web/lib/outbox/answers.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';

const TIMEOUT_MS = 20_000;

export const answerSchema = z.object({
  assignmentId: z.uuid(),
  answer: z.enum(['confirm', 'decline', 'undo']),
  reason: z.string().nullable(),
});

/** Idempotent: the server counts an event id once. */
export const sendAnswer: SendEntry = async ({ id, payload }, { connection }) => {
  const { assignmentId, answer, reason } = parsePayload(answerSchema, payload);
  accepted(
    await connection
      .rpc('answer_assignment', {
        p_assignment_id: assignmentId,
        p_answer: answer,
        ...(reason !== null && { p_reason: reason }),
        p_event_id: id,
      })
      .abortSignal(AbortSignal.timeout(TIMEOUT_MS)),
  );
  // Before the outbox drops the entry, so that the card doesn't show the old status in between.
  await queryClient.invalidateQueries({ queryKey: guardShiftsKey });
};
