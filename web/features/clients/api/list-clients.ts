// One page of the clients, by name unless another order is chosen, refreshed whenever one changes.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { rangeOf } from '#web/lib/data/list-search.ts';
import { CARDS_PAGE, pageOf } from '#web/lib/data/pages.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { clientsKey } from '../../../lib/data/keys.ts';
import type { ClientSearch } from '../schema.ts';

type Filters = Pick<ClientSearch, 'q' | 'sort' | 'page'>;

/** The clients that a search leaves, in the order of the screen. */
export function clientsQuery({ q = '', sort }: Omit<Filters, 'page'>) {
  let query = supabase().from('clients').select('*', { count: 'exact' });
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.ilikeAllOf('search_text', patterns);
  if (sort) query = query.order(sort.replace('-', ''), { ascending: !sort.startsWith('-') });
  return query.order('name').order('id');
}

export function useClients(filters: Filters) {
  useLiveTable('clients', clientsKey);
  return useQuery({
    queryKey: [...clientsKey, 'list', filters],
    queryFn: async () =>
      pageOf(await clientsQuery(filters).range(...rangeOf(filters.page ?? 1, CARDS_PAGE))),
    placeholderData: keepPreviousData,
  });
}
