// Ends the session of this browser at once, with or without a network; the person's other devices stay signed in.
import { useMutation } from '@tanstack/react-query';
import { announceLeave, leaveOnPurpose } from '#web/lib/session/leaving.ts';
import {
  forgetSession,
  revokeEndedSessions,
  sessionOnDevice,
  whenReady,
} from '#web/lib/supabase/client.ts';

/** The client's own part: its memory, its sockets, and the other tabs. */
async function signOutClient(): Promise<void> {
  const { auth } = await whenReady();
  await auth.initialize();
  // Someone else may have signed in by now. Without a stored session this makes no request.
  if (sessionOnDevice()) return;
  const { error } = await auth.signOut({ scope: 'local' });
  if (error) throw error;
}

async function signOut(): Promise<void> {
  leaveOnPurpose();
  if (!forgetSession()) return signOutClient();
  announceLeave();
  void revokeEndedSessions();
  // The client may be waiting for a network to refresh the session that has just been removed.
  signOutClient().catch(console.warn);
}

export function useSignOut() {
  return useMutation({ mutationFn: signOut });
}
