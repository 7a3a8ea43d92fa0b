// Sets the state and the internal note of an enquiry.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { enquiriesKey } from '../../../lib/data/keys.ts';
import type { Handling } from '../schema.ts';

type Change = {
  id: string;
  /** `updated_at` of what the person looked at: nobody overwrites what they have not seen. */
  seen: string;
  handling: Handling;
};

async function handleEnquiry({ id, seen, handling }: Change): Promise<void> {
  const { data } = await supabase()
    .from('contact_messages')
    .update({ state: handling.state, note: handling.note || null })
    .eq('id', id)
    .eq('updated_at', seen)
    .select('id')
    .maybeSingle()
    .throwOnError();
  if (!data) {
    throw new Error('Somebody else has just changed this enquiry. Look at it, then save again.');
  }
}

export function useHandleEnquiry() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: handleEnquiry,
    // Also after a refusal: then somebody else's change is to be shown.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: enquiriesKey }),
  });
}
