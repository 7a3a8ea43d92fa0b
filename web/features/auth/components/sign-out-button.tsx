// Ends the session. Named Logout in the portals and Sign Out in the tracker.
import { LogOut } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import type { ButtonStyle } from '#web/components/ui/button-styles.ts';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors.ts';
import { useSignOut } from '../api/sign-out.ts';

type SignOutButtonProps = {
  label: 'Logout' | 'Sign Out';
  variant?: ButtonStyle['variant'];
};

export function SignOutButton({ label, variant = 'secondary' }: SignOutButtonProps) {
  const signOut = useSignOut();
  function press() {
    signOut
      .mutateAsync()
      .then(() => showSuccess('Logged out'))
      .catch((error: unknown) => showError('Error', messageOf(error)));
  }
  return (
    <Button variant={variant} busy={signOut.isPending} onClick={press}>
      {!signOut.isPending && <LogOut aria-hidden="true" className="size-4" />}
      {label}
    </Button>
  );
}
