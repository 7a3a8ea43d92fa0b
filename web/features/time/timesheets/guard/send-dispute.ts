import { queryClient } from '#web/lib/cache/query-client.ts';
import { timesheetsKey } from '#web/lib/data/keys.ts';
import { accepted } from '#web/lib/outbox/answers.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { disputeSchema } from './dispute.ts';

const TIMEOUT_MS = 20_000;

/** Idempotent: the server stores an id once. */
export const sendDispute: SendEntry = async ({ payload }, { connection }) => {
  const dispute = parsePayload(disputeSchema, payload);
  accepted(
    await connection
      .from('timesheet_disputes')
      .upsert(dispute, { onConflict: 'id', ignoreDuplicates: true })
      .abortSignal(AbortSignal.timeout(TIMEOUT_MS)),
  );
  // Before the outbox drops the entry, so that the day shows no older state in between.
  await queryClient.invalidateQueries({ queryKey: timesheetsKey });
};
