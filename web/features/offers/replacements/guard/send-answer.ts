import { z } from 'zod';
import { queryClient } from '#web/lib/cache/query-client.ts';
import { guardShiftsKey, offersToMeKey } from '#web/lib/data/keys.ts';
import { accepted } from '#web/lib/outbox/answers.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';

const TIMEOUT_MS = 20_000;

const answerSchema = z.object({ offerId: z.uuid(), accepts: z.boolean() });

/** Idempotent: an offer is answered once. A yes that is too late is an answer, not a refusal: the card tells it. */
export const sendOfferAnswer: SendEntry = async ({ payload }, { connection }) => {
  const { offerId, accepts } = parsePayload(answerSchema, payload);
  accepted(
    await connection
      .rpc('answer_offer', { p_offer_id: offerId, p_accept: accepts })
      .abortSignal(AbortSignal.timeout(TIMEOUT_MS)),
  );
  // Before the outbox drops the entry, so that the card doesn't ask again in between.
  await Promise.all(
    [offersToMeKey, guardShiftsKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
};
