import { z } from 'zod';
import { OFFERS_KIND } from '#shared/database.values.ts';
import { offersKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const typedSchema = z.object({ kind: z.enum(OFFERS_KIND) });

async function fetchRequests() {
  const { data } = await supabase().rpc('offers_to_decide').throwOnError();
  return data.map((row) => ({ ...row, ...typedSchema.parse(row) }));
}

export type GuardRequest = Awaited<ReturnType<typeof fetchRequests>>[number];

/** What guards ask for at sites that the user plans, soonest shift first. */
export const useGuardRequests = () =>
  useLiveQuery('offers', offersKey, { queryKey: offersKey, queryFn: fetchRequests });

type Decision = { ids: string[]; approves: boolean; note: string };

async function decide({ ids, approves, note }: Decision): Promise<void> {
  await supabase()
    .rpc('decide_offers', {
      p_offer_ids: ids,
      p_approve: approves,
      ...(note !== '' && { p_note: note }),
    })
    .throwOnError();
}

export const useDecideRequests = () => useChange(offersKey, decide);
