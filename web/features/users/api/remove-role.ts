// Takes a role away, by user, role and site. The database keeps the last admin.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { usersKey } from '../../../lib/data/keys.ts';
import type { HeldRole } from '../schema.ts';

type Removal = Pick<HeldRole, 'role' | 'site_id'> & { user_id: string };

/** A role that somebody else has taken away meanwhile is gone all the same. */
async function removeRole({ user_id, role, site_id }: Removal): Promise<void> {
  const removal = supabase().from('user_roles').delete().eq('user_id', user_id).eq('role', role);
  await (site_id === null
    ? removal.is('site_id', null)
    : removal.eq('site_id', site_id)
  ).throwOnError();
}

export const useRemoveRole = () => useChange(usersKey, removeRole);
