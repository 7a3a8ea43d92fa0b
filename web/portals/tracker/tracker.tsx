// /deployments: the Guard Deployment Tracker. It needs only a session.
import { RequireSession } from '#web/features/auth/require-session.tsx';
import { TrackerScreen } from './tracker-screen.tsx';
import { TrackerSignIn } from './tracker-sign-in.tsx';

export function Tracker() {
  return (
    <RequireSession signIn={<TrackerSignIn />}>
      <TrackerScreen />
    </RequireSession>
  );
}
