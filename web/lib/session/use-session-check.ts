// Asks the server whether the session still stands, when the page is opened and when somebody comes back to it:
// it may have been ended from another device. auth-js then drops it and says SIGNED_OUT.
import type { User } from '@supabase/supabase-js';
import { useEffect, useEffectEvent } from 'react';
import { whenReady } from '../supabase/client.ts';

const APART_MS = 60_000;

/**
 * @param userId whose session it is; undefined without one
 * @param onUser called with the account as the server knows it now, with the factors it has meanwhile
 */
export function useSessionCheck(userId: string | undefined, onUser: (user: User) => void): void {
  const report = useEffectEvent(onUser);

  useEffect(() => {
    if (!userId) return;
    let last = 0;
    let isCurrent = true;

    async function check() {
      if (document.visibilityState !== 'visible' || Date.now() - last < APART_MS) return;
      last = Date.now();
      // A failure changes nothing here: without a network the session stays.
      const client = await whenReady().catch(() => undefined);
      const user = (await client?.auth.getUser())?.data.user;
      if (isCurrent && user && user.id === userId) report(user);
    }

    void check();
    document.addEventListener('visibilitychange', check);
    return () => {
      isCurrent = false;
      document.removeEventListener('visibilitychange', check);
    };
  }, [userId]);
}
