// Puts guards on a shift and takes others off, all or none.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { shiftsKey } from '../../../lib/data/keys.ts';

type Change = { shiftId: string; add: string[]; remove: string[] };

async function assignGuards({ shiftId, add, remove }: Change): Promise<void> {
  await supabase()
    .rpc('assign_guards', { p_shift_id: shiftId, p_user_ids: add, p_remove_user_ids: remove })
    .throwOnError();
}

export function useAssignGuards() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: assignGuards,
    // Also after a refusal: then somebody else has planned meanwhile, which is to be shown.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: shiftsKey }),
  });
}
