// Ends the session of this browser; the person's other devices stay signed in.
import { useMutation } from '@tanstack/react-query';
import { leaveOnPurpose } from '#web/lib/session/leaving.ts';
import { whenReady } from '#web/lib/supabase.ts';

async function signOut(): Promise<void> {
  leaveOnPurpose();
  const { error } = await (await whenReady()).auth.signOut({ scope: 'local' });
  if (error) throw error;
}

export function useSignOut() {
  return useMutation({ mutationFn: signOut });
}
