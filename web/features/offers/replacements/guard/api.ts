import { z } from 'zod';
import { OFFERS_ANSWER } from '#shared/database.values.ts';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { offersToMeKey } from '#web/lib/data/keys.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { OFFER_KIND } from '#web/lib/outbox/kinds.ts';
import { type SubmitOutcome, submitForm } from '#web/lib/outbox/submit.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const typedSchema = z.object({
  status: z.enum(['asked', 'approved', 'declined', 'withdrawn', 'lapsed']),
  answer: z.enum(OFFERS_ANSWER).nullable(),
});

async function fetchOffersToMe() {
  const { data } = await supabase().rpc('offers_to_me', undefined, { get: true }).throwOnError();
  return data.map((row) => ({ ...row, ...typedSchema.parse(row) }));
}

export type OfferToMe = Awaited<ReturnType<typeof fetchOffersToMe>>[number];

/** Shifts that the user is asked to come to, and what became of those offers. */
export const useOffersToMe = (userId: string) =>
  useLiveQuery(ownRows(userId, 'offers', 'assignments'), offersToMeKey, {
    queryKey: [...offersToMeKey, userId],
    queryFn: fetchOffersToMe,
    meta: PERSISTED,
  });

/** Through the outbox, so that it works without a signal. @throws the reason of a refusal */
export function submitOfferAnswer(
  userId: string,
  { id, site_name }: OfferToMe,
  accepts: boolean,
): Promise<SubmitOutcome> {
  return submitForm({
    id: crypto.randomUUID(),
    userId,
    kind: OFFER_KIND,
    title: `${accepts ? 'Yes, I can come' : 'No, I can’t come'}, ${site_name}`,
    payload: { offerId: id, accepts },
  });
}

/** @returns the newest answer to the offer that waits to be sent */
export function waitingAnswer(
  waiting: readonly OutboxEntry[],
  offerId: string,
): boolean | undefined {
  for (const { kind, payload } of [...waiting].reverse()) {
    if (kind !== OFFER_KIND || typeof payload !== 'object' || payload === null) continue;
    if (!('offerId' in payload) || payload.offerId !== offerId) continue;
    if ('accepts' in payload && typeof payload.accepts === 'boolean') return payload.accepts;
  }
  return undefined;
}
