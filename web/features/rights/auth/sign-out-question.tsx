import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';

type SignOutQuestionProps = {
  /** How many entries are not sent yet. */
  waiting: number;
  /** This device can send them without the user. */
  isDelivered: boolean;
  label: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
};

export function SignOutQuestion(props: SignOutQuestionProps) {
  const { waiting, isDelivered, label, onConfirm, onClose } = props;
  return (
    <ConfirmDialog
      title={`${waiting} waiting to send`}
      confirmLabel={label}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {isDelivered
        ? 'It stays on this device, unseen by other users, and is sent from here as soon as there is a connection, also without you. Photos of a report wait until you sign in here again.'
        : 'It stays on this device only, unseen by other users, and is sent when you sign in here again. To send it now, stay signed in until you have a connection.'}
    </ConfirmDialog>
  );
}
