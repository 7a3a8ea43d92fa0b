import type { UseMutationResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';

export type Undo<Row, Result = unknown> = {
  restore: (row: Row) => Promise<Result>;
  /** Title of the toast after the restore. */
  restored: string;
  /** What could not be restored with it, for the toast. */
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
      .catch((error: unknown) => showError('Error', messageOf(error)));
  showSuccess(deleted, undefined, { label: 'Undo', onPress });
}

type UndoableDelete<Row> = {
  remove: UseMutationResult<Row | null, Error, string>;
  restore: UseMutationResult<void, Error, Row>;
  /** Titles of the toasts. */
  deleted: string;
  restored: string;
  failure?: string;
};

/**
 * Deletes without a question; the toast offers Undo.
 * @returns a stable function of the record's id
 */
export function useUndoableDelete<Row>(options: UndoableDelete<Row>) {
  const { deleted, restored, failure = 'Error' } = options;
  const { mutateAsync: remove } = options.remove;
  const { mutateAsync: restore } = options.restore;

  return useCallback(
    (id: string) => {
      remove(id)
        .then((row) => showDeleted(deleted, row, { restore, restored }))
        .catch((error: unknown) => showError(failure, messageOf(error)));
    },
    [remove, restore, deleted, restored, failure],
  );
}
