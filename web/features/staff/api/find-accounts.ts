// User accounts by name or address, for linking one to a member of staff.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { searchFilters } from '#web/lib/search-filter.ts';
import { supabase } from '#web/lib/supabase.ts';

const SHOWN = 20;

async function findAccounts(text: string) {
  let query = supabase().from('profiles').select('id, full_name, email');
  for (const filter of searchFilters(['full_name', 'email'], text)) query = query.or(filter);
  const { data } = await query.order('full_name').order('id').limit(SHOWN).throwOnError();
  return data.map(({ id, full_name, email }) => ({
    id,
    label: full_name || email || 'No name',
    hint: email ?? '',
  }));
}

export function useAccounts(text: string) {
  return useQuery({
    queryKey: ['profiles', 'found', text],
    queryFn: () => findAccounts(text),
    placeholderData: keepPreviousData,
  });
}
