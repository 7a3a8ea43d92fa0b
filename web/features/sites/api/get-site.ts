// One site.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { sitesKey } from '../../../lib/data/keys.ts';
import type { Site } from '../schema.ts';

async function getSite(id: string): Promise<Site | null> {
  const { data } = await supabase()
    .from('sites')
    .select()
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  return data;
}

/**
 * Its data is null for a site that does not exist.
 * @param known as a list shows it, until the answer comes
 */
export const useSite = (id: string, known: Site | undefined) =>
  useQuery({
    queryKey: [...sitesKey, 'one', id],
    queryFn: () => getSite(id),
    placeholderData: known,
  });
