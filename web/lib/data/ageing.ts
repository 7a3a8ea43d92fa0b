import { useQuery } from '@tanstack/react-query';
import { supabase } from '../supabase/client.ts';
import { invoicesKey } from './keys.ts';

async function fetchAgeing(clientId: string | undefined) {
  const { data } = await supabase()
    .rpc('invoice_ageing', clientId === undefined ? {} : { p_client_id: clientId })
    .throwOnError();
  return data;
}
export type Ageing = Awaited<ReturnType<typeof fetchAgeing>>[number];

/** Open amounts by client, currency and days since they were due. @param clientId all clients without it */
export const useAgeing = (clientId?: string) =>
  useQuery({
    queryKey: [...invoicesKey, 'ageing', clientId],
    queryFn: () => fetchAgeing(clientId),
  });
