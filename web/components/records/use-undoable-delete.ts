// Deletes at once, without asking; the toast offers to take it back.
import type { UseMutationResult } from '@tanstack/react-query';
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

/** @returns the call that deletes the record with this id */
export function useUndoableDelete<Row>(options: UndoableDelete<Row>) {
  const { remove, restore, failure = 'Error' } = options;

  function undo(row: Row) {
    restore
      .mutateAsync(row)
      .then(() => showSuccess(options.restored))
      .catch((error: unknown) => showError('Error', messageOf(error)));
  }
  return (id: string) => {
    remove
      .mutateAsync(id)
      .then((row) => {
        const action = row === null ? undefined : { label: 'Undo', onPress: () => undo(row) };
        showSuccess(options.deleted, undefined, action);
      })
      .catch((error: unknown) => showError(failure, messageOf(error)));
  };
}
