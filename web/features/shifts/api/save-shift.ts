// Adds a shift, or changes one.

import { existing, useChange } from '#web/lib/data/records.ts';
import { orNull } from '#web/lib/form-fields/text-field.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { shiftsKey } from '../../../lib/data/keys.ts';
import type { ShiftForm } from '../schema.ts';
import { instantsOf } from '../shift-times.ts';

type Save = {
  /** Of the one to change; a new one has none. */
  id?: string;
  form: ShiftForm;
  /** Zone of the site, an IANA name: the form's times are of its clock. */
  timezone: string;
};

/** @returns the id of the shift */
async function saveShift({ id, form, timezone }: Save): Promise<string> {
  const row = {
    site_id: form.site_id,
    ...instantsOf(form, timezone),
    required_headcount: Number(form.required_headcount),
    notes: orNull(form.notes),
  };
  const table = supabase().from('shifts');
  const { data } =
    id === undefined
      ? await table.insert(row).select('id').maybeSingle().throwOnError()
      : await table.update(row).eq('id', id).select('id').maybeSingle().throwOnError();
  return existing(data, 'shift').id;
}

export const useSaveShift = () => useChange(shiftsKey, saveShift);
