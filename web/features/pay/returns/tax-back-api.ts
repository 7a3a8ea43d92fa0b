import type { Database } from '#shared/database.types.ts';
import { everyRow } from '#web/lib/data/every-row.ts';
import { returnsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';

export type TaxedTooMuch = Database['public']['Functions']['tax_too_much']['Returns'][number];

const fetchTaxTooMuch = () =>
  everyRow<TaxedTooMuch>(async (first, last) => {
    const { data } = await supabase()
      .rpc('tax_too_much', undefined, { get: true })
      .range(first, last)
      .throwOnError();
    return data;
  });

export const useTaxTooMuch = () =>
  useLiveQuery(['pay_runs', 'pay_adjustments', 'staff'], returnsKey, {
    queryKey: [...returnsKey, 'too-much'],
    queryFn: fetchTaxTooMuch,
  });

async function giveBack({ staff_id, month }: Pick<TaxedTooMuch, 'staff_id' | 'month'>) {
  await requireUserId();
  await supabase().rpc('give_tax_back', { p_staff_id: staff_id, p_month: month }).throwOnError();
}

export const useGiveBack = () => useChange(returnsKey, giveBack);
