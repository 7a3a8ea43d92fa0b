// Checks with the server whether the session still exists, when the page opens and when it becomes visible again: it may
// have been ended from another device. auth-js then removes it and emits SIGNED_OUT.
import type { User } from '@supabase/supabase-js';
import { useEffect, useEffectEvent } from 'react';
import { backend } from '../supabase/client.ts';

const MIN_INTERVAL_MS = 60_000;

/**
 * @param userId owner of the session; undefined without one
 * @param onUser called with the current account, including its current factors
 */
export function useSessionCheck(userId: string | undefined, onUser: (user: User) => void): void {
  const report = useEffectEvent(onUser);

  useEffect(() => {
    if (!userId) return;
    let last = 0;
    let isCurrent = true;

    async function check() {
      if (document.visibilityState !== 'visible' || Date.now() - last < MIN_INTERVAL_MS) return;
      last = Date.now();
      // A failure is ignored: the session stays while offline.
      const client = await backend.open().catch(() => undefined);
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
