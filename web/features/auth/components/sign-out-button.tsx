// Ends the session. Named Logout in the portals and Sign Out in the tracker.
import { LogOut, type LucideIcon } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import type { ButtonStyle } from '#web/components/ui/button-styles.ts';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { cn } from '#web/lib/cn.ts';
import { messageOf } from '#web/lib/errors.ts';
import { useSignOut } from '../api/sign-out.ts';

type SignOutButtonProps = {
  label: 'Logout' | 'Sign Out' | 'Back to sign in';
  variant?: ButtonStyle['variant'];
  Icon?: LucideIcon;
  /** On a narrow phone only the icon; the name stays for screen readers. */
  compact?: boolean;
};

export function SignOutButton(props: SignOutButtonProps) {
  const { label, variant = 'secondary', Icon = LogOut, compact = false } = props;
  const signOut = useSignOut();
  function press() {
    signOut
      .mutateAsync()
      .then(() => showSuccess('Logged out'))
      .catch((error: unknown) => showError('Error', messageOf(error)));
  }
  return (
    <Button
      variant={variant}
      busy={signOut.isPending}
      onClick={press}
      className={cn('shrink-0', compact && 'max-[30rem]:px-3.5')}
    >
      {!signOut.isPending && <Icon aria-hidden="true" className="size-4" />}
      <span className={cn(compact && 'max-[30rem]:sr-only')}>{label}</span>
    </Button>
  );
}
