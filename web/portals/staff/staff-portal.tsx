// /staff and everything under it: a session first. What is behind it is loaded apart, so that the sign-in is there sooner.
import { PortalSignIn } from '#web/features/auth/portal-sign-in.tsx';
import { RequireSession } from '#web/features/auth/require-session.tsx';
import { lazily } from '#web/lib/render/lazily.tsx';

export const StaffShell = lazily(async () => (await import('./staff-shell.tsx')).StaffShell);

export function StaffPortal() {
  return (
    <RequireSession signIn={<PortalSignIn />}>
      <StaffShell />
    </RequireSession>
  );
}
