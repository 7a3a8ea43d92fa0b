import { queryClient } from '#web/lib/cache/query-client.ts';
import { incidentsKey } from '#web/lib/data/keys.ts';
import { accepted } from '#web/lib/outbox/answers.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { noteSchema } from './report-note.ts';

const TIMEOUT_MS = 20_000;

/** Idempotent: the server stores an id once. */
export const sendNote: SendEntry = async ({ payload }, { connection }) => {
  accepted(
    await connection
      .from('report_notes')
      .upsert(parsePayload(noteSchema, payload), { onConflict: 'id', ignoreDuplicates: true })
      .abortSignal(AbortSignal.timeout(TIMEOUT_MS)),
  );
  // Before the outbox drops the entry, so that the report shows no older state in between.
  await queryClient.invalidateQueries({ queryKey: incidentsKey });
};
