// Sites by name, for scoping a supervisor to one.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { searchFilters } from '#web/lib/data/search-filter.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const SHOWN = 20;

async function findSites(text: string) {
  let query = supabase().from('sites').select('id, name, client_name');
  for (const filter of searchFilters(['name', 'client_name'], text)) query = query.or(filter);
  const { data } = await query.order('name').order('id').limit(SHOWN).throwOnError();
  return data.map(({ id, name, client_name }) => ({ id, label: name, hint: client_name }));
}

export function useSites(text: string) {
  return useQuery({
    queryKey: ['sites', 'found', text],
    queryFn: () => findSites(text),
    placeholderData: keepPreviousData,
  });
}
