// One client.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { clientsKey } from '../../../lib/data/keys.ts';
import type { Client } from '../schema.ts';

async function getClient(id: string): Promise<Client | null> {
  const { data } = await supabase()
    .from('clients')
    .select()
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  return data;
}

/**
 * Its data is null for a client that does not exist.
 * @param known as a list shows it, until the answer comes
 */
export const useClient = (id: string, known: Client | undefined) =>
  useQuery({
    queryKey: [...clientsKey, 'one', id],
    queryFn: () => getClient(id),
    placeholderData: known,
  });
