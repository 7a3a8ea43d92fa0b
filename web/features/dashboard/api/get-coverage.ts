// How many guards are required, assigned and clocked in for each hour of today, the company's day.
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { supabase } from '#web/lib/supabase.ts';
import { dashboardKey, REFRESH_MS } from './dashboard-key.ts';

const hoursSchema = z.array(
  z.object({
    /** When it begins, ISO 8601. */
    hour: z.string(),
    required: z.number(),
    assigned: z.number(),
    /** Null for an hour that has not begun. */
    clocked_in: z.number().nullable(),
  }),
);

export type CoverageHour = z.infer<typeof hoursSchema>[number];

async function getCoverage(): Promise<CoverageHour[]> {
  const { data } = await supabase().rpc('coverage_by_hour').throwOnError();
  return hoursSchema.parse(data);
}

export const useCoverage = () =>
  useQuery({
    queryKey: [...dashboardKey, 'coverage'],
    queryFn: getCoverage,
    refetchInterval: REFRESH_MS,
  });
