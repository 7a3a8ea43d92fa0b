// Ends every session of an account; its owner may sign in again.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { usersKey } from '../../../lib/data/keys.ts';

async function signOutEverywhere(user_id: string): Promise<void> {
  await supabase().rpc('sign_out_everywhere', { user_id }).throwOnError();
}

export const useSignOutEverywhere = () => useChange(usersKey, signOutEverywhere);
