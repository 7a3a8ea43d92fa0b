// Gives somebody a role. The database refuses giving one to oneself.
import type { Role } from '#shared/permissions.ts';
import { useChange } from '#web/lib/data/records.ts';
import { codeOf } from '#web/lib/errors/error-message.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { usersKey } from '../../../lib/data/keys.ts';

type NewRole = { user_id: string; role: Role; site_id: string | null };

async function addRole(row: NewRole): Promise<void> {
  try {
    await supabase().from('user_roles').insert(row).throwOnError();
  } catch (error) {
    if (codeOf(error) === '23505') throw new Error('This person has this role already.');
    throw error;
  }
}

export const useAddRole = () => useChange(usersKey, addRole);
