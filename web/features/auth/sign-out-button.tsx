import { LogOut, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { Button, type ButtonStyle } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { cn } from '#web/lib/cn.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { waitingOf } from '#web/lib/outbox/outbox.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { useSignOut } from './sign-in-api.ts';

type SignOutButtonProps = {
  label: 'Logout' | 'Sign Out' | 'Back to sign in';
  variant?: ButtonStyle['variant'];
  Icon?: LucideIcon;
  /** Icon only on narrow phones; the label is then for screen readers. */
  compact?: boolean;
};

export function SignOutButton(props: SignOutButtonProps) {
  const { label, variant = 'secondary', Icon = LogOut, compact = false } = props;
  const signOut = useSignOut();
  const { user } = useAuth();
  const [waiting, setWaiting] = useState(0);
  async function leave() {
    await signOut.mutateAsync();
    showSuccess('Logged out');
  }
  async function press() {
    try {
      const count = user ? await waitingOf(user.id) : 0;
      if (count > 0) setWaiting(count);
      else await leave();
    } catch (error) {
      showError('Error', messageOf(error));
    }
  }
  const button = (
    <Button
      variant={variant}
      busy={signOut.isPending}
      onClick={() => void press()}
      className={cn('shrink-0', compact && 'max-[25rem]:px-3.5')}
    >
      {!signOut.isPending && <Icon aria-hidden="true" className="size-4" />}
      <span className={cn(compact && 'max-[25rem]:sr-only')}>{label}</span>
    </Button>
  );
  if (waiting === 0) return button;
  return (
    <>
      {button}
      <ConfirmDialog
        title={`${waiting} waiting to send`}
        confirmLabel={label}
        onConfirm={leave}
        onClose={() => setWaiting(0)}
      >
        It stays on this device, unseen by other users, and is sent when you sign in here again. To
        send it now, stay signed in until you have a connection.
      </ConfirmDialog>
    </>
  );
}
