// How many clients there are, their guards, and the revenue of a month, of what a search leaves.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { clientsKey } from '../../../lib/data/keys.ts';

/** @param q as it was typed into the search; empty for all clients */
export function useClientTotals(q: string) {
  return useQuery({
    queryKey: [...clientsKey, 'totals', q],
    queryFn: async () => {
      const { data } = await supabase()
        .rpc('client_totals', { p_search: q })
        .single()
        .throwOnError();
      return data;
    },
    placeholderData: keepPreviousData,
  });
}
