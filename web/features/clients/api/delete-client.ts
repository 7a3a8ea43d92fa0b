// Removes a client and hands it back, so that it can be restored; its sites and deployments stay, without their link.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { clientsKey } from '../../../lib/data/keys.ts';
import type { Client } from '../schema.ts';

/** @returns the row as it was at the end; null when somebody else had removed it before */
async function deleteClient(id: string): Promise<Client | null> {
  const { data } = await supabase()
    .from('clients')
    .delete()
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError();
  return data;
}

export const useDeleteClient = () => useChange(clientsKey, deleteClient);
