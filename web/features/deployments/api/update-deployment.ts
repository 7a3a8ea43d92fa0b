// Changes a deployment.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { requireUserId } from '#web/lib/session/require-user.ts';
import { supabase } from '#web/lib/supabase.ts';
import { type Deployment, type DeploymentForm, rowOf } from '../schema.ts';
import { deploymentsKey } from './deployments-key.ts';

type Change = { before: Deployment; form: DeploymentForm };

async function updateDeployment({ before, form }: Change): Promise<void> {
  await requireUserId();
  const row = rowOf(form);
  const { data } = await supabase()
    .from('deployments')
    .update({
      ...row,
      // Another name is another person or firm: the link to the old one goes.
      guard_id: row.guard_name === before.guard_name ? before.guard_id : null,
      client_id: row.client_name === before.client_name ? before.client_id : null,
    })
    .eq('id', before.id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  if (!data) throw new Error('This deployment no longer exists, or you may not change it.');
}

export function useUpdateDeployment() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: updateDeployment,
    // The dialog does not wait for the list.
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: deploymentsKey }),
  });
}
