// PINs of guards, for shared devices: their own, and those that overseers look after.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '../supabase/client.ts';
import { pinKey } from './keys.ts';
import { useChange } from './use-change.ts';

/** The data is null if the user may not know. */
export function usePinState(userId: string) {
  return useQuery({
    queryKey: [...pinKey, userId],
    queryFn: async () => {
      const { data } = await supabase()
        .rpc('pin_state', { p_user_id: userId }, { get: true })
        .maybeSingle()
        .throwOnError();
      return data;
    },
  });
}

/** @param userId undefined for the user's own */
async function setPin({ userId, pin }: { userId: string | undefined; pin: string }): Promise<void> {
  if (userId === undefined) await supabase().rpc('set_own_pin', { p_pin: pin }).throwOnError();
  else await supabase().rpc('set_pin', { p_user_id: userId, p_pin: pin }).throwOnError();
}

async function unlockPin(userId: string): Promise<void> {
  await supabase().rpc('unlock_pin', { p_user_id: userId }).throwOnError();
}

export const useSetPin = () => useChange(pinKey, setPin);
export const useUnlockPin = () => useChange(pinKey, unlockPin);
