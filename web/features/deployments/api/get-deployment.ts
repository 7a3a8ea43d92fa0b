// One deployment.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { deploymentsKey } from '../../../lib/data/keys.ts';
import type { Deployment } from '../schema.ts';

async function getDeployment(id: string): Promise<Deployment | null> {
  const { data } = await supabase()
    .from('deployments')
    .select()
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  return data;
}

/**
 * Its data is null for a deployment that does not exist.
 * @param known as a list shows it, until the answer comes
 */
export const useDeployment = (id: string, known: Deployment | undefined) =>
  useQuery({
    queryKey: [...deploymentsKey, 'one', id],
    queryFn: () => getDeployment(id),
    placeholderData: known,
  });
