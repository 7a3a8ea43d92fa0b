// How many certifications of each course are valid, about to expire and expired.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { certificationsKey } from '../../../lib/data/keys.ts';

export async function listTotals() {
  const { data } = await supabase().rpc('certification_totals').throwOnError();
  return data;
}

/** A course without certifications has no entry. */
export type CourseTotals = Awaited<ReturnType<typeof listTotals>>[number];

export const useTotals = () =>
  useQuery({ queryKey: [...certificationsKey, 'totals'], queryFn: listTotals });
