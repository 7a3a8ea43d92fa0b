// Removes a certification and hands it back, so that it can be restored.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { certificationsKey } from '../../../lib/data/keys.ts';
import type { Certification } from '../schema.ts';

/** @returns the row as it was at the end; null when somebody else had removed it before */
async function deleteCertification(id: string): Promise<Certification | null> {
  const { data } = await supabase()
    .from('certifications')
    .delete()
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError();
  return data;
}

export const useDeleteCertification = () => useChange(certificationsKey, deleteCertification);
