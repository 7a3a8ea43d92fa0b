import type { UseMutationResult } from '@tanstack/react-query';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { inSentence, inTitle } from '#web/lib/format/letter-case.ts';
import { showDeleted, type Undo } from './undo-delete.ts';

type Consequence = {
  consequence: string;
  /** Why it can't be deleted; replaces the consequence and disables the button. */
  obstacle?: string | undefined;
  /** Title of the toast when it fails. */
  failure?: string | undefined;
  onClose: () => void;
};

type DeleteDialogProps<Row, Result> = Consequence & {
  title: string;
  question: string;
  /** @returns the deleted row; null when someone else had deleted it before */
  remove: () => Promise<Row | null>;
  /** Title of the toast. */
  deleted: string;
  /** Undefined where the deletion took other records with it, which Undo would not restore. */
  undo?: Undo<Row, Result> | undefined;
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

type DeleteRecordProps<Row> = Consequence & {
  /** From `recordHooks`. */
  records: {
    name: string;
    useDelete: () => UseMutationResult<Row | null, Error, string>;
    useRestore: () => UseMutationResult<void, Error, Row>;
  };
  id: string;
};

/** Deletes one record, with Undo. */
export function DeleteRecordDialog<Row>({ records, id, ...rest }: DeleteRecordProps<Row>) {
  const { name } = records;
  const remove = records.useDelete();
  const restore = records.useRestore();
  return (
    <DeleteDialog
      {...rest}
      title={`Delete ${inTitle(name)}`}
      question={`Are you sure you want to delete this ${name}?`}
      remove={() => remove.mutateAsync(id)}
      deleted={`${inSentence(name)} deleted successfully`}
      undo={{ restore: restore.mutateAsync, restored: `${inSentence(name)} restored` }}
    />
  );
}
