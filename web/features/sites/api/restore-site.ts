// Puts back a site that was deleted: the same row with the same id.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { sitesKey } from '../../../lib/data/keys.ts';
import type { Site } from '../schema.ts';

async function restoreSite(row: Site): Promise<void> {
  await supabase().from('sites').insert(row).throwOnError();
}

export const useRestoreSite = () => useChange(sitesKey, restoreSite);
