// The rates that payroll is suggested from, the ones in force first.
import { useQuery } from '@tanstack/react-query';
import type { Database } from '#shared/database.types.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { ratesKey } from '../../../lib/data/keys.ts';

export type Rate = Database['public']['Tables']['pay_rates']['Row'];

async function listRates(): Promise<Rate[]> {
  const { data } = await supabase()
    .from('pay_rates')
    .select()
    .order('kind')
    .order('effective_from', { ascending: false })
    .order('from_amount')
    .limit(500)
    .throwOnError();
  return data;
}

export function useRates() {
  useLiveTable('pay_rates', ratesKey);
  return useQuery({ queryKey: [...ratesKey, 'list'], queryFn: listRates });
}
