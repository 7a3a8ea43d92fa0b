// What depends on a site: shifts and incidents keep it from being deleted, scoped roles are lost with it.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { sitesKey } from '../../../lib/data/keys.ts';

async function countIn(table: 'shifts' | 'incidents' | 'user_roles', id: string): Promise<number> {
  const { count } = await supabase()
    .from(table)
    .select('*', { count: 'exact', head: true })
    .eq('site_id', id)
    .throwOnError();
  return count ?? 0;
}

export function useSiteLinks(id: string) {
  return useQuery({
    queryKey: [...sitesKey, 'links', id],
    queryFn: async () => {
      const [shifts, incidents, supervisors] = await Promise.all([
        countIn('shifts', id),
        countIn('incidents', id),
        // Operations managers read only their own roles, and are told of no others.
        countIn('user_roles', id),
      ]);
      return { shifts, incidents, supervisors };
    },
    // Always as it is when the question is asked.
    gcTime: 0,
  });
}
