// One account with its roles.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { usersKey } from '../../../lib/data/keys.ts';
import type { User } from '../schema.ts';

async function getUser(id: string): Promise<User | null> {
  const { data } = await supabase()
    .from('user_accounts')
    .select('*, user_roles(id, role, site_id, sites(name))')
    .eq('id', id)
    .returns<User[]>()
    .throwOnError();
  return data[0] ?? null;
}

/** Its data is null for an account that does not exist. */
export const useUser = (id: string) =>
  useQuery({ queryKey: [...usersKey, 'one', id], queryFn: () => getUser(id) });
