// The caller's own requests, the newest leave first, and the day of hire that the guide to the balance needs.
import { useQuery } from '@tanstack/react-query';
import { KEPT } from '#web/lib/cache/query-client.ts';
import { myRequestsKey } from '#web/lib/data/keys.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** Years of requests, for one person. */
const MOST_REQUESTS = 200;

const COLUMNS = 'id, type, start_date, end_date, reason, status, decision_note, created_at';

async function myRequests(userId: string) {
  const { data } = await supabase()
    .from('leave_requests')
    .select(COLUMNS)
    .eq('user_id', userId)
    .order('start_date', { ascending: false })
    .order('created_at', { ascending: false })
    .limit(MOST_REQUESTS)
    .throwOnError();
  return data;
}

export type MyRequest = Awaited<ReturnType<typeof myRequests>>[number];

export function useMyRequests() {
  const { user } = useAuth();
  useLiveTable('leave_requests', myRequestsKey);
  return useQuery({
    queryKey: [...myRequestsKey, user?.id],
    queryFn: () => myRequests(user?.id ?? ''),
    meta: KEPT,
  });
}

export function useHiredOn() {
  const { user } = useAuth();
  return useQuery({
    queryKey: ['hired-on', user?.id],
    queryFn: async () => (await supabase().rpc('hired_on').throwOnError()).data,
    meta: KEPT,
  });
}
