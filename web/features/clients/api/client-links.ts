// What refers to a client, and would no longer once it is deleted.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { clientsKey } from '../../../lib/data/keys.ts';

async function countIn(table: 'sites' | 'deployments', id: string): Promise<number> {
  const { count } = await supabase()
    .from(table)
    .select('id', { count: 'exact', head: true })
    .eq('client_id', id)
    .throwOnError();
  return count ?? 0;
}

export function useClientLinks(id: string) {
  return useQuery({
    queryKey: [...clientsKey, 'links', id],
    queryFn: async () => {
      const [sites, deployments] = await Promise.all([
        countIn('sites', id),
        countIn('deployments', id),
      ]);
      return { sites, deployments };
    },
    // Always as it is when the question is asked.
    gcTime: 0,
  });
}
