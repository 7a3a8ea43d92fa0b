// Adds a deployment.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { requireUserId } from '#web/lib/session/require-user.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { deploymentsKey } from '../../../lib/data/keys.ts';
import { type DeploymentForm, rowOf } from '../schema.ts';

async function createDeployment(form: DeploymentForm): Promise<void> {
  const created_by = await requireUserId();
  await supabase()
    .from('deployments')
    .insert({ ...rowOf(form), created_by })
    .throwOnError();
}

export function useCreateDeployment() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: createDeployment,
    // The dialog does not wait for the list.
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: deploymentsKey }),
  });
}
