// Removes a site; the database refuses while shifts or incidents depend on it.
import { useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase.ts';
import { sitesKey } from './sites-key.ts';

async function deleteSite(id: string): Promise<void> {
  await supabase().from('sites').delete().eq('id', id).throwOnError();
}

export const useDeleteSite = () => useChange(sitesKey, deleteSite);
