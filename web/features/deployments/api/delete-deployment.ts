// Removes a deployment and hands it back, so that it can be restored.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { deploymentsKey } from '../../../lib/data/keys.ts';
import type { Deployment } from '../schema.ts';

/** @returns the row as it was at the end; null when somebody else had removed it before */
async function deleteDeployment(id: string): Promise<Deployment | null> {
  const { data } = await supabase()
    .from('deployments')
    .delete()
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError();
  return data;
}

export function useDeleteDeployment() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: deleteDeployment,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: deploymentsKey }),
  });
}
