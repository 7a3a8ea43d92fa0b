// Where the person is signed in, and how to end that.
import { queryOptions } from '@tanstack/react-query';
import { leaveOnPurpose } from '#web/lib/session/leaving.ts';
import { supabase } from '#web/lib/supabase/client.ts';

export function devicesQuery() {
  return queryOptions({
    queryKey: ['devices'],
    queryFn: async () => (await supabase().rpc('my_sessions').throwOnError()).data,
  });
}

/** @param sessionId of another device */
export async function signOutDevice(sessionId: string): Promise<void> {
  await supabase().rpc('end_session', { session_id: sessionId }).throwOnError();
}

/** @param scope `others` keeps this device signed in, `global` does not */
export async function signOutDevices(scope: 'others' | 'global'): Promise<void> {
  if (scope === 'global') leaveOnPurpose();
  const { error } = await supabase().auth.signOut({ scope });
  if (error) throw error;
}
