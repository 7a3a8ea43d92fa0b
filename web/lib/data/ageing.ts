import { useQuery } from '@tanstack/react-query';
import { supabase } from '../supabase/client.ts';
import { invoicesKey } from './keys.ts';

async function fetchAgeing() {
  const { data } = await supabase().rpc('invoice_ageing').throwOnError();
  return data;
}
export type Ageing = Awaited<ReturnType<typeof fetchAgeing>>[number];

/** Open amounts by client, currency and days since they were due. */
export const useAgeing = () =>
  useQuery({ queryKey: [...invoicesKey, 'ageing'], queryFn: fetchAgeing });
