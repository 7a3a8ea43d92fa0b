// People by name or address, for pickers: whose certificate, whose account, who did it.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { supabase } from '../supabase/client.ts';
import { searchFilters } from './search-filter.ts';

const SHOWN = 20;

type Profile = { id: string; full_name: string | null; email: string | null };

/** @returns the name to show for somebody: the address where there is no name */
export function nameOf(person: Omit<Profile, 'id'> | null): string {
  return person?.full_name || person?.email || 'No name';
}

const choiceOf = (person: Profile) => ({
  id: person.id,
  label: nameOf(person),
  hint: person.email ?? '',
});

async function findPeople(text: string) {
  let query = supabase().from('profiles').select('id, full_name, email');
  for (const filter of searchFilters(['full_name', 'email'], text)) query = query.or(filter);
  const { data } = await query.order('full_name').order('id').limit(SHOWN).throwOnError();
  return data.map(choiceOf);
}

/** The first people, by name, in whose name or address each word of the text occurs. */
export function usePeople(text: string) {
  return useQuery({
    queryKey: ['profiles', 'found', text],
    queryFn: () => findPeople(text),
    placeholderData: keepPreviousData,
  });
}

async function getPerson(id: string) {
  const { data } = await supabase()
    .from('profiles')
    .select('id, full_name, email')
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  return data ? choiceOf(data) : { id, label: 'Somebody who is gone' };
}

/** The person whom an address names. */
export function usePerson(id: string | undefined) {
  return useQuery({
    queryKey: ['profiles', 'one', id],
    queryFn: () => (id === undefined ? null : getPerson(id)),
    enabled: id !== undefined,
  });
}
