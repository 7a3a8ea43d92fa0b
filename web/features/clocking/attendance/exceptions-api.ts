import { queryOptions } from '@tanstack/react-query';
import { clockExceptionsKey } from '#web/lib/data/keys.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const ROW =
  `*, guard:profiles!clock_exceptions_user_id_fkey(full_name, email), sites(name, timezone),
  devices(name)` as const;

async function fetchOpen() {
  const { data } = await supabase()
    .from('clock_exceptions')
    .select(ROW)
    .is('closed_at', null)
    .order('received_at', { ascending: false })
    .limit(100)
    .throwOnError();
  return data;
}

export type ClockException = Awaited<ReturnType<typeof fetchOpen>>[number];

/** Newest first. */
export const clockExceptionsQuery = queryOptions({
  queryKey: clockExceptionsKey,
  queryFn: fetchOpen,
});
