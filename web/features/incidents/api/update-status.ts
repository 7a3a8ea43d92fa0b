// Moves an incident to another status. The note goes to the timeline with it, in the same transaction.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { orNull } from '#web/lib/form-fields/text-field.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { incidentsKey } from '../../../lib/data/keys.ts';
import type { Incident, StatusChange } from '../schema.ts';

type Update = {
  /** What the person looked at: nobody overwrites what they have not seen. */
  incident: Pick<Incident, 'id' | 'updated_at'>;
  change: StatusChange;
};

/** @returns when the incident changed, as its `updated_at` @throws when somebody else has changed it since */
async function updateStatus({ incident, change }: Update): Promise<string> {
  const { data } = await supabase()
    .from('incidents')
    .update({ status: change.status, notes: orNull(change.note) })
    .eq('id', incident.id)
    .eq('updated_at', incident.updated_at)
    .select('updated_at')
    .maybeSingle()
    .throwOnError();
  if (!data) {
    throw new Error('Somebody else has just changed this incident. Look at it, then try again.');
  }
  return data.updated_at;
}

export function useUpdateStatus() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: updateStatus,
    // Also after a refusal: then somebody else's change is to be shown. It is busy until what it did is on the screen.
    onSettled: () => queryClient.invalidateQueries({ queryKey: incidentsKey }),
  });
}
