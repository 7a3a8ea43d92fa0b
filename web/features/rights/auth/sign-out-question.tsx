import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';

type SignOutQuestionProps = {
  /** How many entries are not sent yet. */
  waiting: number;
  label: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
};

export function SignOutQuestion({ waiting, label, onConfirm, onClose }: SignOutQuestionProps) {
  return (
    <ConfirmDialog
      title={`${waiting} waiting to send`}
      confirmLabel={label}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      It stays on this device only, unseen by other users, and is sent when you sign in here again.
      To send it now, stay signed in until you have a connection.
    </ConfirmDialog>
  );
}
