// Adds a certification, or changes one.
import { existing, useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { certificationsKey } from '../../../lib/data/keys.ts';
import { type Certification, type CertificationForm, certificationColumnsOf } from '../schema.ts';

type Save = {
  /** The one to change; a new one has none. */
  stored: Certification | undefined;
  form: CertificationForm;
};

async function saveCertification({ stored, form }: Save): Promise<void> {
  const columns = certificationColumnsOf(form, stored);
  const table = supabase().from('certifications');
  if (!stored) {
    await table.insert(columns).throwOnError();
    return;
  }
  const { data } = await table
    .update(columns)
    .eq('id', stored.id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  existing(data, 'certification');
}

export const useSaveCertification = () => useChange(certificationsKey, saveCertification);
