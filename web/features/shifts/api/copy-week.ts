// Copying a week of shifts to another: what would come of it, and doing it.
import { useQuery } from '@tanstack/react-query';
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { shiftsKey } from '../../../lib/data/keys.ts';

export type WeekCopy = {
  /** First days of both weeks, yyyy-MM-dd. */
  p_from: string;
  p_to: string;
  /** Without it, all sites. */
  p_site_id?: string;
  p_with_guards: boolean;
};

export function useWeekCopyPreview(copy: WeekCopy, enabled: boolean) {
  return useQuery({
    queryKey: [...shiftsKey, 'week-copy', copy],
    queryFn: async () => (await supabase().rpc('preview_week_copy', copy).throwOnError()).data,
    enabled,
  });
}

export const useCopyWeek = () =>
  useChange(
    shiftsKey,
    async (copy: WeekCopy) => (await supabase().rpc('copy_week', copy).throwOnError()).data,
  );
