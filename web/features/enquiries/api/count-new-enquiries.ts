// How many enquiries nobody has answered yet, kept up to date.
import { useQuery } from '@tanstack/react-query';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { enquiriesKey } from '../../../lib/data/keys.ts';

async function countNewEnquiries(): Promise<number> {
  const { count } = await supabase()
    .from('contact_messages')
    .select('id', { count: 'exact', head: true })
    .eq('state', 'new')
    .throwOnError();
  return count ?? 0;
}

export function useNewEnquiries() {
  useLiveTable('contact_messages', enquiriesKey);
  return useQuery({ queryKey: [...enquiriesKey, 'new'], queryFn: countNewEnquiries });
}
