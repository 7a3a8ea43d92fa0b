import { queryOptions, useQuery } from '@tanstack/react-query';
import { hasWords, searchWords } from '#shared/search-text.ts';
import type { Choice } from '#web/components/ui/picker.tsx';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { readServerNow } from '#web/lib/clock/read-server-now.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** The server's limit for one response. */
const MAX_SITES = 1000;

/** @returns the site of the user's current shift, else of the latest one that has started */
async function fetchOwnSite(): Promise<{ id: string; hint: string } | undefined> {
  const { data: now } = await supabase()
    .rpc('my_current_shift', undefined, { get: true })
    .maybeSingle()
    .throwOnError();
  if (now) return { id: now.site_id, hint: 'Your site now' };
  const { data: session } = await supabase().auth.getSession();
  const { data: last } = await supabase()
    .from('assignments')
    .select('site_id')
    .eq('user_id', session.session?.user.id ?? '')
    .neq('status', 'cancelled')
    .lte('starts_at', new Date(await readServerNow()).toISOString())
    .order('starts_at', { ascending: false })
    .limit(1)
    .maybeSingle()
    .throwOnError();
  return last ? { id: last.site_id, hint: 'Your last site' } : undefined;
}

/** All sites, the user's own site first. */
async function fetchSiteChoices(): Promise<Choice[]> {
  const [own, { data }] = await Promise.all([
    fetchOwnSite(),
    supabase().from('site_options').select().order('name').limit(MAX_SITES).throwOnError(),
  ]);
  const choices = data.map(({ id, name }) => ({ id, label: name }));
  const isOwn = ({ id }: Choice) => id === own?.id;
  return [
    ...choices.filter(isOwn).map((choice) => ({ ...choice, hint: own?.hint ?? '' })),
    ...choices.filter((choice) => !isOwn(choice)),
  ];
}

/** Prefetched by the home screen: the device may be offline when the form opens. */
export const siteChoicesQuery = queryOptions({
  queryKey: ['site-choices'],
  queryFn: fetchSiteChoices,
  meta: PERSISTED,
});

/** @param text the name must contain every word of it */
export function useSiteChoices(text: string) {
  const words = searchWords(text);
  return useQuery({
    ...siteChoicesQuery,
    select: (choices) => choices.filter(({ label }) => hasWords(label, words)),
  });
}

export function useSiteChoice(id: string): Choice | undefined {
  return useQuery(siteChoicesQuery).data?.find((choice) => choice.id === id);
}

/** @returns the site of the user's shift, now or last; undefined until it is loaded, and for someone without shifts */
export function useOwnSite(): Choice | undefined {
  return useQuery(siteChoicesQuery).data?.find(({ hint }) => hint !== undefined);
}
