// The shell is loaded separately, so that the sign-in screen shows sooner.
import { useEffect } from 'react';
import { RequireSession } from '#web/features/rights/auth/require-session.tsx';
import { firstPaint } from '#web/lib/render/first-paint.ts';
import { lazily } from '#web/lib/render/lazily.tsx';

export const StaffShell = lazily(async () => (await import('./staff-shell.tsx')).StaffShell);

export function StaffPortal() {
  useEffect(() => {
    void firstPaint
      .then(() => import('./deliver-left.ts'))
      .then(({ deliverLeft }) => deliverLeft())
      .catch(console.warn);
  }, []);
  return (
    <RequireSession>
      <StaffShell />
    </RequireSession>
  );
}
