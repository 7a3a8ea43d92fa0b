// Removes a client and hands it back, so that it can be restored; its sites and deployments stay, without their link.
import { useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Client } from '../schema.ts';
import { clientsKey } from './clients-key.ts';

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
