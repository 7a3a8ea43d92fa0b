// Removes a site and hands it back; the database refuses while shifts or incidents depend on it.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { sitesKey } from '../../../lib/data/keys.ts';
import type { Site } from '../schema.ts';

/** @returns the row as it was at the end; null when somebody else had removed it before */
async function deleteSite(id: string): Promise<Site | null> {
  const { data } = await supabase()
    .from('sites')
    .delete()
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError();
  return data;
}

export const useDeleteSite = () => useChange(sitesKey, deleteSite);
