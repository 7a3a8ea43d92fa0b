// Takes a piece of evidence off an incident, and removes its file.
import { existing, useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { incidentsKey } from '../../../lib/data/keys.ts';
import { isElsewhere } from '../evidence-kind.ts';
import type { Evidence } from '../schema.ts';

/** The row first: a row without its file would be a broken promise. */
async function removeEvidence(piece: Evidence): Promise<void> {
  const { data } = await supabase()
    .from('evidence')
    .delete()
    .eq('id', piece.id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  existing(data, 'piece of evidence');
  if (isElsewhere(piece)) return;
  const { error } = await supabase().storage.from('evidence').remove([piece.url]);
  if (error) throw error;
}

export const useRemoveEvidence = () => useChange(incidentsKey, removeEvidence);
