// Approves or rejects a request, or cancels an approved one, once; whoever comes second is told what was decided.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { leaveKey } from '../../../lib/data/keys.ts';

type Deciding = { id: string; status: 'approved' | 'rejected' | 'cancelled'; note: string };

async function decideLeave({ id, status, note }: Deciding): Promise<void> {
  await supabase()
    .rpc('decide_leave', { p_id: id, p_status: status, ...(note && { p_note: note }) })
    .throwOnError();
}

export function useDecideLeave() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: decideLeave,
    // Also after a refusal: then somebody else's decision is to be shown.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: leaveKey }),
  });
}
