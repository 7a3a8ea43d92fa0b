import { contractsKey } from '#web/lib/data/keys.ts';
import type { Place } from '#web/lib/data/place.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const COLUMNS = 'id, title, starts_on, ends_on, currency, billing_cycle';

async function fetchContracts({ kind, id }: Place) {
  // Of a site: the contracts with a post there.
  const query =
    kind === 'client'
      ? supabase().from('contracts').select(COLUMNS).eq('client_id', id)
      : supabase()
          .from('contracts')
          .select(`${COLUMNS}, contract_posts!inner(site_id)`)
          .eq('contract_posts.site_id', id);
  const { data } = await query
    .order('ends_on', { ascending: false, nullsFirst: true })
    .order('starts_on', { ascending: false })
    .order('id')
    .limit(20)
    .throwOnError();
  return data;
}

export const useContractsAt = (place: Place) =>
  useLiveQuery(['contracts', 'contract_posts'], contractsKey, {
    queryKey: [...contractsKey, 'at', place],
    queryFn: () => fetchContracts(place),
  });
