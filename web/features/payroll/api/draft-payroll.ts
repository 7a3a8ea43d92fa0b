// Drafts one pending record for each active member of staff who has none yet that overlaps the period.
import { z } from 'zod';
import { useChange } from '#web/lib/data/records.ts';
import { requireUserId } from '#web/lib/session/require-user.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { payrollKey } from '../../../lib/data/keys.ts';
import { STATUSES } from '../schema.ts';

type Draft = { period_start: string; period_end: string };

/** Skipped because of a record of another period: the first one in the way, and how many there are. */
const overlapSchema = z.object({
  full_name: z.string(),
  period_start: z.string(),
  period_end: z.string(),
  payment_status: z.enum(STATUSES),
  records: z.number(),
});
export type Overlap = z.infer<typeof overlapSchema>;

const drafted = z.object({
  added: z.number(),
  skipped: z.number(),
  overlapping: z.array(overlapSchema),
});

async function draftPayroll({ period_start, period_end }: Draft) {
  await requireUserId();
  const { data } = await supabase()
    .rpc('draft_payroll', { p_start: period_start, p_end: period_end })
    .single()
    .throwOnError();
  return drafted.parse(data);
}

export const useDraftPayroll = () => useChange(payrollKey, draftPayroll);
