// Puts back a deployment that was deleted: the same row with the same id.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { deploymentsKey } from '../../../lib/data/keys.ts';
import type { Deployment } from '../schema.ts';

async function restoreDeployment(row: Deployment): Promise<void> {
  await supabase().from('deployments').insert(row).throwOnError();
}

export function useRestoreDeployment() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: restoreDeployment,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: deploymentsKey }),
  });
}
