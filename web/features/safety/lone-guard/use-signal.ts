import { useEffect, useEffectEvent } from 'react';
import { supabase } from '#web/lib/supabase/client.ts';

/** Below half of the shortest silence that raises an alert, 10 minutes, so that one may be lost. */
const EVERY_MS = 240_000;

/** A lost signal is not retried: the next one follows, and its absence is what the control room must learn. */
async function report(waiting: number, isAway: boolean): Promise<void> {
  const { error } = await supabase().rpc('report_signal', {
    p_waiting: waiting,
    p_is_away: isAway,
  });
  if (error) console.warn('The signal of this phone was not sent:', error.message);
}

/**
 * Tells the control room every few minutes that this phone is there, and when it is put away.
 * @param isExpected whether the guard is on duty with welfare checks @param waiting entries that are not sent yet
 */
export function useSignal(isExpected: boolean, waiting: number): void {
  const send = useEffectEvent(() => {
    void report(waiting, document.visibilityState === 'hidden');
  });
  useEffect(() => {
    if (!isExpected) return;
    const sendIfOpen = () => {
      if (document.visibilityState === 'visible') send();
    };
    sendIfOpen();
    const timer = setInterval(sendIfOpen, EVERY_MS);
    addEventListener('online', sendIfOpen);
    const turn = () => send();
    document.addEventListener('visibilitychange', turn);
    return () => {
      clearInterval(timer);
      removeEventListener('online', sendIfOpen);
      document.removeEventListener('visibilitychange', turn);
    };
  }, [isExpected]);
}
