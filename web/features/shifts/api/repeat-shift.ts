// Repeating a shift on later days: what would come of it, and doing it.
import { useQuery } from '@tanstack/react-query';
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { shiftsKey } from '../../../lib/data/keys.ts';

export type Repeat = {
  p_shift_id: string;
  /** Last day, yyyy-MM-dd. */
  p_until: string;
  /** 1 for Monday to 7 for Sunday; none means every day. */
  p_weekdays: number[];
  p_with_guards: boolean;
};

export function useRepeatPreview(repeat: Repeat, enabled: boolean) {
  return useQuery({
    queryKey: [...shiftsKey, 'repeat', repeat],
    queryFn: async () => (await supabase().rpc('preview_repeat', repeat).throwOnError()).data,
    enabled,
  });
}

export const useRepeatShift = () =>
  useChange(
    shiftsKey,
    async (repeat: Repeat) => (await supabase().rpc('repeat_shift', repeat).throwOnError()).data,
  );
