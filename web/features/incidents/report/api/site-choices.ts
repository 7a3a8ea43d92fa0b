// The sites that an incident can be reported for: all of them, the one where the person is or was last on duty first.
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Choice } from '#web/components/ui/picker.tsx';
import { KEPT } from '#web/lib/cache/query-client.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** More than one answer holds is no list to choose from. */
const MOST_SITES = 1000;

/** @returns the site of the shift the caller is on, else of the last one that has begun; undefined before the first */
async function ownSite(): Promise<{ id: string; hint: string } | undefined> {
  const { data: now } = await supabase().rpc('my_current_shift').maybeSingle().throwOnError();
  if (now) return { id: now.site_id, hint: 'Your site now' };
  const { data: session } = await supabase().auth.getSession();
  const { data: last } = await supabase()
    .from('assignments')
    .select('site_id')
    .eq('user_id', session.session?.user.id ?? '')
    .neq('status', 'cancelled')
    .lte('starts_at', new Date().toISOString())
    .order('starts_at', { ascending: false })
    .limit(1)
    .maybeSingle()
    .throwOnError();
  return last ? { id: last.site_id, hint: 'Your last site' } : undefined;
}

async function siteChoices(): Promise<Choice[]> {
  const [own, { data }] = await Promise.all([
    ownSite(),
    supabase().from('site_options').select().order('name').limit(MOST_SITES).throwOnError(),
  ]);
  const choices = data.map(({ id, name }) => ({ id, label: name }));
  const isOwn = ({ id }: Choice) => id === own?.id;
  return [
    ...choices.filter(isOwn).map((choice) => ({ ...choice, hint: own?.hint ?? '' })),
    ...choices.filter((choice) => !isOwn(choice)),
  ];
}

/** To be loaded before it is needed: there may be no network then. */
export const siteChoicesQuery = queryOptions({
  queryKey: ['site-choices'],
  queryFn: siteChoices,
  meta: KEPT,
});

/** @param text every word of which must be in the name */
export function useSiteChoices(text: string) {
  const words = text.toLowerCase().split(/\s+/);
  return useQuery({
    ...siteChoicesQuery,
    select: (choices) =>
      choices.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word))),
  });
}

/** @returns the site with this id, once the list is there */
export function useSiteChoice(id: string): Choice | undefined {
  return useQuery(siteChoicesQuery).data?.find((choice) => choice.id === id);
}
