// The minimum wage of today, in USD a day.
import { useQuery } from '@tanstack/react-query';
import { today } from '#web/lib/format/dates.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { ratesKey } from '../../../lib/data/keys.ts';

async function minimumWage() {
  const { data } = await supabase()
    .from('pay_rates')
    .select('rate')
    .eq('kind', 'minimum_wage')
    .lte('effective_from', today())
    .order('effective_from', { ascending: false })
    .limit(1)
    .throwOnError();
  return data[0]?.rate ?? null;
}

export const useMinimumWage = () =>
  useQuery({
    queryKey: [...ratesKey, 'minimum_wage'],
    queryFn: minimumWage,
    select: (rate) => rate ?? undefined,
  });
