// Adds a rate, or changes one.
import { existing, useChange } from '#web/lib/data/records.ts';
import { requireUserId } from '#web/lib/session/require-user.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { ratesKey } from '../../../lib/data/keys.ts';
import { type RateForm, rowOf } from '../rates.ts';

type Save = { id: string | undefined; form: RateForm };

async function saveRate({ id, form }: Save): Promise<void> {
  const created_by = await requireUserId();
  const table = supabase().from('pay_rates');
  if (id === undefined) {
    await table.insert({ ...rowOf(form), created_by }).throwOnError();
    return;
  }
  const { data } = await table
    .update(rowOf(form))
    .eq('id', id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  existing(data, 'rate');
}

export const useSaveRate = () => useChange(ratesKey, saveRate);
