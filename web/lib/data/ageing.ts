import { useQuery } from '@tanstack/react-query';
import { supabase } from '../supabase/client.ts';
import { invoicesKey } from './keys.ts';

async function fetchAgeing() {
  const { data } = await supabase().rpc('invoice_ageing').throwOnError();
  return data;
}
export type Ageing = Awaited<ReturnType<typeof fetchAgeing>>[number];

/** What is open, by client and currency and by how long it has been due. */
export const useAgeing = () =>
  useQuery({ queryKey: [...invoicesKey, 'ageing'], queryFn: fetchAgeing });
