import type { SupabaseClient } from '@supabase/supabase-js';
import { onNetworkBack } from './online.ts';

/**
 * Connects realtime at once when the network is back. By itself it waits up to 10 s after its last attempt, and until then lists
 * lack what the outbox has just sent.
 */
export function reconnectEarly(realtime: SupabaseClient['realtime']): void {
  onNetworkBack(async () => {
    if (realtime.getChannels().length === 0 || realtime.isConnected()) return;
    // `connect` does nothing while realtime-js still has the socket that failed.
    await realtime.disconnect();
    realtime.connect();
  });
}
