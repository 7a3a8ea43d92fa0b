// Ends the session. Named Logout in the portals and Sign Out in the tracker.
import { LogOut, type LucideIcon } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import type { ButtonStyle } from '#web/components/ui/button-styles.ts';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors.ts';
import { useSignOut } from '../api/sign-out.ts';

type SignOutButtonProps = {
  label: 'Logout' | 'Sign Out' | 'Back to sign in';
  variant?: ButtonStyle['variant'];
  Icon?: LucideIcon;
};

export function SignOutButton({ label, variant = 'secondary', Icon = LogOut }: SignOutButtonProps) {
  const signOut = useSignOut();
  function press() {
    signOut
      .mutateAsync()
      .then(() => showSuccess('Logged out'))
      .catch((error: unknown) => showError('Error', messageOf(error)));
  }
  return (
    <Button variant={variant} busy={signOut.isPending} onClick={press}>
      {!signOut.isPending && <Icon aria-hidden="true" className="size-4" />}
      {label}
    </Button>
  );
}
