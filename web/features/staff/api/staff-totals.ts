// How many people the list holds, and what they are paid, by how often.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { supabase } from '#web/lib/supabase/client.ts';
import { staffKey } from '../../../lib/data/keys.ts';
import type { StaffSearch } from '../schema.ts';

/** Sums come as text: they may hold more digits than a JSON number keeps. */
const totalsSchema = z.array(
  z.object({
    payment_frequency: z.enum(['weekly', 'bi-weekly', 'monthly']),
    people: z.number(),
    salaries: z.string(),
  }),
);

type Filters = Pick<StaffSearch, 'q' | 'status'>;

async function staffTotals({ q, status }: Filters) {
  const { data } = await supabase()
    .rpc('staff_totals', { ...(q && { p_search: q }), ...(status && { p_status: status }) })
    .select('payment_frequency, people, salaries::text')
    .throwOnError();
  return totalsSchema.parse(data);
}

export function useStaffTotals(filters: Filters) {
  return useQuery({
    queryKey: [...staffKey, 'totals', filters],
    queryFn: () => staffTotals(filters),
    placeholderData: keepPreviousData,
  });
}
