// Names to suggest while one types: clients and guards, as far as whoever is signed in may read them.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { supabase } from '../supabase/client.ts';
import { searchFilters } from './search-filter.ts';

const SHOWN = 8;

async function findClients(text: string) {
  let query = supabase().from('clients').select('id, name, location');
  for (const filter of searchFilters(['name'], text)) query = query.or(filter);
  const { data } = await query.order('name').order('id').limit(SHOWN).throwOnError();
  return data.map(({ id, name, location }) => ({ id, label: name, hint: location }));
}

async function findGuards(text: string) {
  let query = supabase().from('profiles').select('id, full_name, email').neq('full_name', '');
  for (const filter of searchFilters(['full_name'], text)) query = query.or(filter);
  const { data } = await query.order('full_name').order('id').limit(SHOWN).throwOnError();
  return data.map(({ id, full_name, email }) => ({
    id,
    label: full_name ?? '',
    hint: email ?? '',
  }));
}

/** @param isWanted asks only then */
export const useClientNames = (text: string, isWanted: boolean) =>
  useQuery({
    queryKey: ['clients', 'names', text],
    queryFn: () => findClients(text),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });

/** @param isWanted asks only then */
export const useGuardNames = (text: string, isWanted: boolean) =>
  useQuery({
    queryKey: ['profiles', 'names', text],
    queryFn: () => findGuards(text),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });
