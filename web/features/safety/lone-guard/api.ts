import { refetchEvery } from '#web/lib/cache/network-retry.ts';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { welfareKey } from '#web/lib/data/keys.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

async function fetchChecks() {
  const { data } = await supabase()
    .rpc('my_welfare_checks', undefined, { get: true })
    .throwOnError();
  return data;
}

/** Live changes may not arrive, and a phone must learn of its first check. */
const REFETCH_MS = 300_000;

/** The signed-in guard's checks without an answer; also without a signal. */
export const useWelfareChecks = (userId: string) =>
  useLiveQuery(ownRows(userId, 'welfare_checks'), welfareKey, {
    queryKey: [...welfareKey, userId],
    queryFn: fetchChecks,
    refetchInterval: refetchEvery(REFETCH_MS),
    meta: PERSISTED,
  });
