// Cancels a request that nobody has decided yet.

import { myRequestsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';

async function cancelRequest(id: string): Promise<void> {
  const { data } = await supabase()
    .from('leave_requests')
    .update({ status: 'cancelled' })
    .eq('id', id)
    .eq('status', 'pending')
    .select('id')
    .maybeSingle()
    .throwOnError();
  if (!data) throw new Error('This request was decided meanwhile.');
}

export const useCancelRequest = () => useChange(myRequestsKey, cancelRequest);
