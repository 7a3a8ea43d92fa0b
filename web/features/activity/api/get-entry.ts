// One entry of the activity log, with the names behind its ids.
import { useQuery } from '@tanstack/react-query';
import { nameOf } from '#web/lib/data/people.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { activityKey } from '../../../lib/data/keys.ts';
import { changesOf, referencesOf } from '../changes.ts';

async function getEntry(id: string) {
  const { data: entry } = await supabase()
    .from('audit_log')
    .select()
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  if (!entry) return null;
  const changes = changesOf(entry);
  const ids = referencesOf(changes);
  const [people, sites] = await Promise.all([
    supabase().from('profiles').select('id, full_name, email').in('id', ids.people).throwOnError(),
    supabase().from('sites').select('id, name').in('id', ids.sites).throwOnError(),
  ]);
  const names = new Map([
    ...people.data.map((person) => [person.id, nameOf(person)] as const),
    ...sites.data.map(({ id: site, name }) => [site, name] as const),
  ]);
  return { entry, changes, names };
}

export type ToldEntry = NonNullable<Awaited<ReturnType<typeof getEntry>>>;

/** Its data is null for an entry that does not exist. */
export const useEntry = (id: string) =>
  useQuery({ queryKey: [...activityKey, 'entry', id], queryFn: () => getEntry(id) });
