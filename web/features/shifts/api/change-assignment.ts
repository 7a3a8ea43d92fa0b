// Sets the status and the role of a guard on a shift.

import { existing, useChange } from '#web/lib/data/records.ts';
import { orNull } from '#web/lib/form-fields/text-field.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { shiftsKey } from '../../../lib/data/keys.ts';
import type { AssignmentForm } from '../assignment.ts';

type Change = { id: string; form: AssignmentForm };

async function changeAssignment({ id, form }: Change): Promise<void> {
  const { data } = await supabase()
    .from('assignments')
    .update({ status: form.status, role_at_shift: orNull(form.role_at_shift) })
    .eq('id', id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  existing(data, 'assignment');
}

export const useChangeAssignment = () => useChange(shiftsKey, changeAssignment);
