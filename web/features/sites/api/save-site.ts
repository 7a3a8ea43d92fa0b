// Adds a site, or changes one.
import { existing, useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { sitesKey } from '../../../lib/data/keys.ts';
import { rowOf, type SiteForm } from '../schema.ts';

type Save = {
  /** Of the one to change; a new one has none. */
  id: string | undefined;
  form: SiteForm;
};

async function saveSite({ id, form }: Save): Promise<void> {
  const table = supabase().from('sites');
  if (id === undefined) {
    await table.insert(rowOf(form)).throwOnError();
    return;
  }
  const { data } = await table
    .update(rowOf(form))
    .eq('id', id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  existing(data, 'site');
}

export const useSaveSite = () => useChange(sitesKey, saveSite);
