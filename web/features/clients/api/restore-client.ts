// Puts back a client that was deleted: the same row with the same id.
import { useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Client } from '../schema.ts';
import { clientsKey } from './clients-key.ts';

async function restoreClient(row: Client): Promise<void> {
  await supabase().from('clients').insert(row).throwOnError();
}

export const useRestoreClient = () => useChange(clientsKey, restoreClient);
