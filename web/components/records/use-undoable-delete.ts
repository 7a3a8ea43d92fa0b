// Deletes at once, without asking; the toast offers to take it back.
import type { UseMutationResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors.ts';

type UndoableDelete<Row> = {
  /** Hands back the row as it was at the end; null when somebody else had removed it before. */
  remove: UseMutationResult<Row | null, Error, string>;
  restore: UseMutationResult<void, Error, Row>;
  /** Titles of the toasts. */
  deleted: string;
  restored: string;
  failure?: string;
};

/** @returns the call that deletes the record with this id; the same one at each draw, as columns need it */
export function useUndoableDelete<Row>(options: UndoableDelete<Row>) {
  const { deleted, restored, failure = 'Error' } = options;
  const { mutateAsync: remove } = options.remove;
  const { mutateAsync: restore } = options.restore;

  return useCallback(
    (id: string) => {
      const undo = (row: Row) =>
        void restore(row)
          .then(() => showSuccess(restored))
          .catch((error: unknown) => showError('Error', messageOf(error)));
      remove(id)
        .then((row) => {
          const action = row === null ? undefined : { label: 'Undo', onPress: () => undo(row) };
          showSuccess(deleted, undefined, action);
        })
        .catch((error: unknown) => showError(failure, messageOf(error)));
    },
    [remove, restore, deleted, restored, failure],
  );
}
