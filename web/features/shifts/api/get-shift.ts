// One shift, with how it is staffed.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { shiftsKey } from '../../../lib/data/keys.ts';

async function getShift(id: string) {
  const { data } = await supabase()
    .from('shift_board')
    .select()
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  return data;
}

/** Its data is null for a shift that does not exist, or not for this person. */
export function useShift(id: string) {
  return useQuery({ queryKey: [...shiftsKey, 'one', id], queryFn: () => getShift(id) });
}
