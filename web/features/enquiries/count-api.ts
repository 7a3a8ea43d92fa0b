import { useQuery } from '@tanstack/react-query';
import { enquiriesKey } from '#web/lib/data/keys.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

async function countNewEnquiries(): Promise<number> {
  const { count } = await supabase()
    .from('contact_messages')
    .select('id', { count: 'exact', head: true })
    .eq('state', 'new')
    .throwOnError();
  return count ?? 0;
}

/** The number of unanswered enquiries. In a file of its own because the admin sidebar loads it. */
export function useNewEnquiries() {
  useLiveTable('contact_messages', enquiriesKey);
  return useQuery({ queryKey: [...enquiriesKey, 'new'], queryFn: countNewEnquiries });
}
