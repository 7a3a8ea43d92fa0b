import type { UseMutationResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { inSentence } from '#web/lib/format/letter-case.ts';

export type Undo<Row, Result = unknown> = {
  restore: (row: Row) => Promise<Result>;
  /** Title of the toast after the restore. */
  restored: string;
  /** Records that could not be restored with it, for the toast. */
  missing?: (result: Result) => string | undefined;
};

/**
 * Shows the toast after a deletion, with Undo where it would restore everything.
 * @param row the deleted row; null when someone else had deleted it before
 */
export function showDeleted<Row, Result>(
  deleted: string,
  row: Row | null,
  undo: Undo<Row, Result> | undefined,
) {
  if (row === null || undo === undefined) {
    showSuccess(deleted);
    return;
  }
  const onPress = () =>
    void undo
      .restore(row)
      .then((result) => showSuccess(undo.restored, undo.missing?.(result)))
      .catch((error: unknown) => showError('Error', describeError(error)));
  showSuccess(deleted, undefined, { label: 'Undo', onPress });
}

type Deletable<Row> = {
  name: string;
  useDelete: () => UseMutationResult<Row | null, Error, string>;
  useRestore: () => UseMutationResult<void, Error, Row>;
};

/** Titles of the toasts, where they differ from those of the record's name. */
type Texts = { deleted?: string; failure?: string };

/**
 * Deletes without a question; the toast offers Undo.
 * @param records from `recordHooks`
 * @returns a stable function of the record's id, and the id that is being deleted
 */
export function useUndoableDelete<Row>(records: Deletable<Row>, texts: Texts = {}) {
  const name = inSentence(records.name);
  const { deleted = `${name} deleted successfully`, failure = 'Error' } = texts;
  const { mutateAsync: remove, isPending, variables } = records.useDelete();
  const { mutateAsync: restore } = records.useRestore();
  const removeUndoably = useCallback(
    (id: string) => {
      remove(id)
        .then((row) => showDeleted(deleted, row, { restore, restored: `${name} restored` }))
        .catch((error: unknown) => showError(failure, describeError(error)));
    },
    [remove, restore, deleted, name, failure],
  );
  return { remove: removeUndoably, deletingId: isPending ? variables : undefined };
}
