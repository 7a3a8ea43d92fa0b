import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { showDeleted, type Undo } from './undo-delete.ts';

type DeleteDialogProps<Row, Result> = {
  title: string;
  question: string;
  /** What would be lost. */
  consequence: string;
  /** Why it can't be deleted; replaces the consequence and disables the button. */
  obstacle?: string | undefined;
  /** Title of the toast when it fails. */
  failure?: string | undefined;
  /** @returns the deleted row; null when someone else had deleted it before */
  remove: () => Promise<Row | null>;
  /** Title of the toast. */
  deleted: string;
  /** Undefined where the deletion took other records with it, which Undo would not restore. */
  undo?: Undo<Row, Result> | undefined;
  onClose: () => void;
};

export function DeleteDialog<Row, Result>(props: DeleteDialogProps<Row, Result>) {
  const { consequence, remove, deleted, undo, onClose, ...question } = props;
  return (
    <ConfirmDialog
      {...question}
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onConfirm={async () => showDeleted(deleted, await remove(), undo)}
      onClose={onClose}
    >
      {consequence}
    </ConfirmDialog>
  );
}
