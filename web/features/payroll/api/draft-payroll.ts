// Makes one pending record for each active member of staff who has none of the period yet.
import { useChange } from '#web/lib/records.ts';
import { requireUserId } from '#web/lib/session/require-user.ts';
import { supabase } from '#web/lib/supabase.ts';
import { payrollKey } from './payroll-key.ts';

type Draft = { period_start: string; period_end: string };

/** @returns how many were added, and how many had a record already */
async function draftPayroll({ period_start, period_end }: Draft) {
  await requireUserId();
  const { data } = await supabase()
    .rpc('draft_payroll', { p_start: period_start, p_end: period_end })
    .single()
    .throwOnError();
  return data;
}

export const useDraftPayroll = () => useChange(payrollKey, draftPayroll);
