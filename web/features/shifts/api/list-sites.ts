// The sites that the caller may see, for choosing one.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';

async function listSites() {
  const { data } = await supabase()
    .from('sites')
    .select('id, name, client_name, timezone')
    .order('name')
    .throwOnError();
  return data;
}

export function useSites() {
  return useQuery({ queryKey: ['sites', 'choices'], queryFn: listSites });
}
