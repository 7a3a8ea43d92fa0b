// Sets the status and the role of a guard on a shift.

import { orNull } from '#web/lib/form-fields/text-field.ts';
import { existing, useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { AssignmentForm } from '../assignment.ts';
import { shiftsKey } from './shifts-key.ts';

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
