// Puts back a certification that was deleted: the same row with the same id.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { certificationsKey } from '../../../lib/data/keys.ts';
import type { Certification } from '../schema.ts';

async function restoreCertification(row: Certification): Promise<void> {
  await supabase().from('certifications').insert(row).throwOnError();
}

export const useRestoreCertification = () => useChange(certificationsKey, restoreCertification);
