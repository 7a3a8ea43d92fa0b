// One enquiry, with the name of whoever handled it last.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { enquiriesKey } from '../../../lib/data/keys.ts';

async function getEnquiry(id: string) {
  const { data } = await supabase()
    .from('contact_messages')
    .select('*, handler:profiles(full_name, email)')
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  return data;
}

export type HandledEnquiry = NonNullable<Awaited<ReturnType<typeof getEnquiry>>>;

/** Its data is null for an enquiry that does not exist. */
export function useEnquiry(id: string) {
  return useQuery({ queryKey: [...enquiriesKey, 'one', id], queryFn: () => getEnquiry(id) });
}
