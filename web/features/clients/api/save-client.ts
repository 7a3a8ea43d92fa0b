// Adds a client, or changes one.
import { existing, useChange } from '#web/lib/data/records.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { clientsKey } from '../../../lib/data/keys.ts';
import { type ClientForm, rowOf } from '../schema.ts';

type Save = {
  /** Of the one to change; a new one has none. */
  id: string | undefined;
  form: ClientForm;
};

async function saveClient({ id, form }: Save): Promise<void> {
  const created_by = await requireUserId();
  const table = supabase().from('clients');
  if (id === undefined) {
    await table.insert({ ...rowOf(form), created_by }).throwOnError();
    return;
  }
  const { data } = await table
    .update(rowOf(form))
    .eq('id', id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  existing(data, 'client');
}

export const useSaveClient = () => useChange(clientsKey, saveClient);
