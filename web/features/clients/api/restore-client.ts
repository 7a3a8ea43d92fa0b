// Puts back a client that was deleted: the same row with the same id.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { clientsKey } from '../../../lib/data/keys.ts';
import type { Client } from '../schema.ts';

async function restoreClient(row: Client): Promise<void> {
  await supabase().from('clients').insert(row).throwOnError();
}

export const useRestoreClient = () => useChange(clientsKey, restoreClient);
