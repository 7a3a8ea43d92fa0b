// Asks before a record is deleted; afterwards the toast offers to take it back, where nothing went with it.
import { ConfirmDialog } from './confirm-dialog.tsx';
import { showDeleted, type Undo } from './show-deleted.ts';

type DeleteDialogProps<Row, Result> = {
  title: string;
  question: string;
  /** What would be lost. */
  consequence: string;
  /** Why it can't be deleted; takes the place of the consequence and disables the button. */
  obstacle?: string | undefined;
  /** Title of the toast when it fails; "Error" without one. */
  failure?: string;
  /** @returns the row as it was at the end; null when somebody else had removed it before */
  remove: () => Promise<Row | null>;
  /** Title of the toast. */
  deleted: string;
  undo?: Undo<Row, Result> | undefined;
  onClose: () => void;
};

export function DeleteDialog<Row, Result>(props: DeleteDialogProps<Row, Result>) {
  const { remove, deleted, undo, onClose, ...question } = props;
  return (
    <ConfirmDialog
      {...question}
      confirmLabel="Delete"
      confirm={async () => showDeleted(deleted, await remove(), undo)}
      onDone={onClose}
      onCancel={onClose}
    />
  );
}
