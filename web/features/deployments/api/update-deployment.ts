// Changes a deployment.
import { existing, useChange } from '#web/lib/data/records.ts';
import { requireUserId } from '#web/lib/session/require-user.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { deploymentsKey } from '../../../lib/data/keys.ts';
import { type DeploymentForm, rowOf } from '../schema.ts';

type Change = { id: string; form: DeploymentForm };

async function updateDeployment({ id, form }: Change): Promise<void> {
  await requireUserId();
  const { data } = await supabase()
    .from('deployments')
    .update(rowOf(form))
    .eq('id', id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  existing(data, 'deployment');
}

export const useUpdateDeployment = () => useChange(deploymentsKey, updateDeployment);
