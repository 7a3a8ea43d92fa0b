// Disables an account, which ends every session of it at once, or enables it again.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { usersKey } from '../../../lib/data/keys.ts';

type Setting = { user_id: string; disabled: boolean };

async function setAccountDisabled(setting: Setting): Promise<void> {
  await supabase().rpc('set_account_disabled', setting).throwOnError();
}

export const useSetAccountDisabled = () => useChange(usersKey, setAccountDisabled);
