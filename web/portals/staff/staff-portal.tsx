// The shell is loaded separately, so that the sign-in screen shows sooner.
import { RequireSession } from '#web/features/rights/auth/require-session.tsx';
import { lazily } from '#web/lib/render/lazily.tsx';

export const StaffShell = lazily(async () => (await import('./staff-shell.tsx')).StaffShell);

export function StaffPortal() {
  return (
    <RequireSession>
      <StaffShell />
    </RequireSession>
  );
}
