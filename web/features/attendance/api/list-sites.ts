// The sites that attendance can be narrowed to: those that the person may see.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';

async function listSites() {
  const { data } = await supabase().from('sites').select('id, name').order('name').throwOnError();
  return data.map(({ id, name }) => [id, name] as const);
}

export function useSiteOptions() {
  return useQuery({ queryKey: ['sites', 'options'], queryFn: listSites });
}
