// Asks before somebody is kept out: their account disabled, or every device signed out. It says what that does.
import { ConfirmDialog } from '#web/components/records/confirm-dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { nameOf } from '#web/lib/data/people.ts';
import { useSetAccountDisabled } from '../api/set-account-disabled.ts';
import { useSignOutEverywhere } from '../api/sign-out-everywhere.ts';
import type { User } from '../schema.ts';

export type Question = { about: 'disable' | 'sign-out'; user: User };

const WORDS = {
  disable: {
    title: 'Disable Account',
    question: (name: string) => `Are you sure you want to disable the account of ${name}?`,
    consequence:
      'They are signed out on every device at once, and can’t sign in until you enable the account again. Their roles and everything they recorded stay.',
    confirmLabel: 'Disable',
    busyLabel: 'Disabling...',
    success: 'Account disabled',
  },
  'sign-out': {
    title: 'Sign Out Everywhere',
    question: (name: string) => `Are you sure you want to sign ${name} out on every device?`,
    consequence: 'Phones and computers that are signed in ask for the password again at once.',
    confirmLabel: 'Sign Out',
    busyLabel: 'Signing out...',
    success: 'Signed out everywhere',
  },
} as const;

export function AccountQuestion({ about, user, onClose }: Question & { onClose: () => void }) {
  const disable = useSetAccountDisabled();
  const signOut = useSignOutEverywhere();
  const { question, success, ...words } = WORDS[about];
  return (
    <ConfirmDialog
      {...words}
      question={question(nameOf(user))}
      confirm={() =>
        about === 'disable'
          ? disable.mutateAsync({ user_id: user.id, disabled: true })
          : signOut.mutateAsync(user.id)
      }
      onDone={() => {
        onClose();
        showSuccess(success);
      }}
      onCancel={onClose}
    />
  );
}
